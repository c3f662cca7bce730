#!/bin/sh
# Does this working tree compute what another revision computed? For changes that must not alter results.
#
#   tests/same-as.sh REV [EXAMPLE...]     tests/same-as.sh HEAD~3 two-bars seal-simple
#
# Builds REV and the working tree, runs the examples (all of them, if none is named) with both programs and compares the
# result folders by tests/same_as.py: byte by byte, and number by number where bytes differ. Exit code 0: nothing differs by
# more than 1e-12 of the largest value of its column (LIMIT=... sets another limit).
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
revision=$1
shift
work=${TMPDIR:-/tmp}/stickslip-same-as
old=$work/source
mkdir -p "$work"
git worktree prune
[ -e "$old/.git" ] || git worktree add -q --detach "$old" "$revision"
git -C "$old" checkout -q --detach "$(git rev-parse "$revision")"

# build SOURCE FOLDER
build() {
    cmake -S "$1" -B "$2" -G Ninja -DSTICKSLIP_TESTS=OFF -DSTICKSLIP_BENCH=OFF -DSTICKSLIP_REPORT=OFF >"$2.log" 2>&1 &&
        ninja -C "$2" stickslip-program >>"$2.log" 2>&1 || { tail -n 30 "$2.log"; exit 1; }
}
build "$old" "$work/old"
build . "$work/new"

examples=$*
[ -n "$examples" ] || examples=$(for f in examples/*.yaml; do basename "$f" .yaml; done)
export OPENBLAS_NUM_THREADS=1
bad=0
for name in $examples; do
    for side in old new; do
        source=.
        [ $side = new ] || source=$old
        out=$work/results/$side/$name.out
        rm -rf "$out"
        mkdir -p "${out%/*}"
        code=0
        "$work/$side/stickslip" run "$source/examples/$name.yaml" -o "$out" --quiet --no-plots >/dev/null 2>&1 || code=$?
        echo "$code" >"$work/results/$side/$name.code"
    done
    cmp -s "$work/results/old/$name.code" "$work/results/new/$name.code" || {
        echo "$name: exit code $(cat "$work/results/old/$name.code"), now $(cat "$work/results/new/$name.code")"
        bad=1
    }
    python3 tests/same_as.py "$work/results/old/$name.out" "$work/results/new/$name.out" "${LIMIT:-1e-12}" "$name" || bad=1
done
[ $bad = 0 ] && echo "the same as $revision" || echo "NOT the same as $revision"
exit $bad

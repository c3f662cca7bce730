#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Contact problems of steps of the rigid bodies among the examples, made anew, and both codes on them.
#   bench/vs-siconos/steps.sh BUILD [options of bench.vs-siconos]
set -eu
build=$1
shift
steps=$build/step-problems
rm -rf "$steps"
mkdir -p "$steps"
for which in arch:3,500 crank-slider:100 dominoes:400 elastic-blocks:300 newton-cradle:150 painleve-rod:50 \
    pillar:50,400,1000 rocking:300 spheres-in-a-box:60,300,1400 wall:10,500,1000,1900; do
    name=${which%%:*}
    results=$build/step-results
    "$build/stickslip" run "examples/$name.yaml" -o "$results" --force "--dump-problems=${which#*:}" > "$steps/$name.log" 2>&1 ||
        { tail -n 3 "$steps/$name.log"; exit 1; }
    for file in "$results"/problems/*.hdf5 "$results"/cases/*/problems/*.hdf5; do
        [ -f "$file" ] || continue
        case $file in
        */cases/*) of=${file#*/cases/}; of=-${of%%/*} ;;
        *) of= ;;
        esac
        cp "$file" "$steps/$name$of-$(basename "$file")"
    done
    rm -rf "$results" "$steps/$name.log"
done
"$build/bench/bench.vs-siconos" "$steps" --ours auto --chosen auto "$@"

#!/bin/sh
# The flow of data stays visible: a folder of src/ includes only itself and the folders upstream of it.
set -eu
cd "$(dirname "$0")/.."
order="base linalg solve verify problems model mesh gears fem bodies contact condense stepping stability output report study cli"
upstream=""
bad=0
for folder in $order; do
    upstream="$upstream $folder"
    for include in $(grep -rhoE '#include "[a-z]+/' "src/$folder" | sed 's/.*"//; s:/::' | sort -u); do
        case " $upstream " in
        *" $include "*) ;;
        *)
            echo "src/$folder includes $include/, which is downstream of it:"
            grep -rn "#include \"$include/" "src/$folder"
            bad=1
            ;;
        esac
    done
done
if grep -rn '#include "' src/verify | grep -E '"solve/'; then
    echo "src/verify must share nothing with src/solve"
    bad=1
fi
exit $bad

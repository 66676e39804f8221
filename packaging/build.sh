#!/bin/bash
# Builds targets of one preset; says little where nobody watches, and shows the end of the log when it fails.
#   packaging/build.sh PRESET [TARGET…]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
log=build/$preset.log
mkdir -p build

quietly() {
    "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; echo "Failed: $*. The whole log is in $log." >&2; exit 1; }
}
echo "Building the preset \"$preset\". The first time takes some minutes."
quietly cmake --preset "$preset"
build=(cmake --build --preset "$preset")
[ $# -eq 0 ] || build+=(--target "$@")
if [ -t 1 ]; then
    "${build[@]}"
else
    quietly "${build[@]}"
fi

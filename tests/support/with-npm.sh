#!/bin/bash
# Runs a test that needs the programs of tests/package.json. They are installed once into FOLDER, never into the source tree.
# Ends with 77, which ctest shows as skipped, where npm cannot be reached; with CI=true that is a failure.
#   tests/support/with-npm.sh FOLDER [COMMAND…]
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
shift

unreachable() {
    echo "Tests with npm's packages are skipped: $1"
    [ "${CI:-}" != true ] || { echo "CI may not skip them." >&2; exit 1; }
    exit 77
}
node_is_new() { command -v node >/dev/null && [ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ]; }

mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
wanted=$(cat "$source/package.json" "$source/package-lock.json" | sha256sum)
if [ "$(cat "$folder/installed" 2>/dev/null)" != "$wanted" ]; then
    command -v npm >/dev/null || unreachable "npm is not installed."
    cp "$source/package.json" "$source/package-lock.json" "$source/.npmrc" "$folder/"
    omit=()
    ! node_is_new || omit=(--omit=optional) # the optional package is a newer node
    (cd "$folder" && timeout 300 npm ci "${omit[@]}" --ignore-scripts --no-progress) 9>&- >"$folder/log" 2>&1 \
        || unreachable "$(grep -m 1 -E 'ERR!|error' "$folder/log" || echo 'npm did not answer.')"
    echo "$wanted" >"$folder/installed"
fi
flock -u 9
exec 9>&-

if node_is_new; then
    LABHELM_NODE=$(command -v node)
else
    LABHELM_NODE=$(echo "$folder"/node_modules/node-linux-*/bin/node)
    [ -x "$LABHELM_NODE" ] || unreachable "node 20 or newer is needed, and npm has none for this machine."
fi
export LABHELM_NODE LABHELM_NODE_MODULES=$folder/node_modules
[ $# -eq 0 ] || exec "$@"

#!/bin/bash
# Builds Labhelm and starts it on the demo cluster. Without a display, or with --tour, it shows the main job as a scripted tour instead:
# each step is printed with its result, a picture of each is left in build/tour, and a step that fails is a non-zero exit.
#   packaging/try.sh [--tour]
set -euo pipefail
cd "$(dirname "$0")/.."

tour=
case ${1:-} in
    '') [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || tour=yes ;;
    --tour) tour=yes ;;
    *) sed -n '2,4s/^# *//p' "$0" >&2; exit 2 ;;
esac

if [ -n "$tour" ]; then
    packaging/install-dependencies.sh run build session
    packaging/build.sh release labhelm labhelm-mcp labhelm-cli labhelm-simulator labhelm-tour
    rm -rf build/tour
    mkdir -p build/tour
    packaging/session.sh build/release/bin/labhelm-tour "$PWD/build/tour"
    echo "The pictures are in build/tour."
else
    packaging/install-dependencies.sh run build
    packaging/build.sh release labhelm labhelm-mcp labhelm-cli labhelm-simulator
    echo "Starting Labhelm on the demo cluster."
    exec build/release/bin/labhelm --demo
fi

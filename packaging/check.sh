#!/bin/bash
# Installs what is missing, builds everything with sanitizers, takes the tour and runs the tests in a session of their own; ends on ctest's summary.
# --long adds what takes long: full counts, the soak, the benches, and the tour with what people get.
#   packaging/check.sh [--long]
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
    '') ;;
    --long) export LABHELM_LONG=1 ;;
    *) sed -n '2,4s/^# *//p' "$0" >&2; exit 2 ;;
esac

packaging/install-dependencies.sh
packaging/build.sh ci
tests/support/with-npm.sh "$PWD/build/ci/npm" || [ $? -eq 77 ]

status=0
rm -rf build/tour
mkdir -p build/tour
packaging/session.sh build/ci/bin/labhelm-tour "$PWD/build/tour" || status=1
if [ -n "${LABHELM_LONG:-}" ]; then
    packaging/try.sh --tour || status=1
    packaging/build.sh bench
    for bench in build/bench/bin/bench_*; do
        [ -x "$bench" ] || continue
        echo "== ${bench##*/}"
        packaging/session.sh "$bench" || status=1
    done
fi
packaging/session.sh ctest --preset ci --parallel 2 --no-tests=error || status=1
exit "$status"

#!/bin/bash
# Installs what is missing of the Debian packages that Labhelm needs, as root or with sudo. Starts no service.
#   packaging/install-dependencies.sh [run] [build] [session] [test]      all of them when none is named
set -euo pipefail

run=(libqt6sql6-sqlite libqt6svg6 fonts-dejavu-core)
build=(cmake ninja-build g++ ccache mold pkg-config qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools
       qcoro-qt6-dev qtkeychain-qt6-dev libssh-dev libqcustomplot-dev libexpected-dev rapidjson-dev libssl-dev)
session=(xvfb dbus gnome-keyring fonts-dejavu-core) # packaging/session.sh: a display without a screen
test=(npm openssl)

wanted=()
for part in "${@:-all}"; do
    case $part in
        run) wanted+=("${run[@]}") ;;
        build) wanted+=("${build[@]}") ;;
        session) wanted+=("${session[@]}") ;;
        test) wanted+=("${test[@]}") ;;
        all) wanted+=("${run[@]}" "${build[@]}" "${session[@]}" "${test[@]}") ;;
        *) echo "install-dependencies.sh: there is no part \"$part\"; the parts are run, build, session and test" >&2; exit 2 ;;
    esac
done

is_there() { # a program of that name from elsewhere counts too: npm often comes with its own node
    command -v "$1" >/dev/null || [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}
missing=()
for package in $(printf '%s\n' "${wanted[@]}" | sort -u); do
    is_there "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "These packages are missing, and this is no Debian to install them on: ${missing[*]}" >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "These packages are missing. Run this as root, or install them first: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
log=$(mktemp)
policy=/usr/sbin/policy-rc.d
made_policy=
finish() {
    [ -z "$made_policy" ] || "${as_root[@]}" rm -f "$policy"
    rm -f "$log"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if [ ! -e "$policy" ]; then
    made_policy=yes
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
fi
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@"; }
if ! { apt update && apt install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 25 "$log" >&2
    echo "The packages could not be installed." >&2
    exit 1
fi

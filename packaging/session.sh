#!/bin/bash
# Runs a command in a desktop session of its own: a display without a screen, a D-Bus, an unlocked keyring and a home that is thrown away.
# Everything started here ends with it, however it ends, also by SIGKILL.
#   packaging/session.sh COMMAND…
set -euo pipefail

folder=$(mktemp -d "${TMPDIR:-/tmp}/labhelm-session.XXXXXX")
command=
children=()
finish() {
    trap '' INT TERM HUP
    if [ -n "$command" ] && kill -TERM -- "-$command" 2>/dev/null; then
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            kill -0 -- "-$command" 2>/dev/null || break
            sleep 0.2
        done
        kill -KILL -- "-$command" 2>/dev/null || true
    fi
    for child in "${children[@]}"; do
        kill -TERM "$child" 2>/dev/null || true
    done
    wait
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

export HOME=$folder/home XDG_RUNTIME_DIR=$folder/run
export XDG_DATA_HOME=$HOME/.local/share XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache XDG_STATE_HOME=$HOME/.local/state
mkdir -p "$XDG_DATA_HOME" "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME" "$XDG_STATE_HOME"
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset DBUS_SESSION_BUS_ADDRESS WAYLAND_DISPLAY XAUTHORITY SESSION_MANAGER GNOME_KEYRING_CONTROL

fail() {
    echo "$1" >&2
    cat "$folder"/*.log >&2 2>/dev/null || true
    exit 1
}

# Waits until the program that writes to this pipe says a line: its display's number, its address.
mkfifo "$folder/display" "$folder/address"
setpriv --pdeathsig TERM Xvfb -displayfd 6 -screen 0 1600x1000x24 -nolisten tcp -noreset 6>"$folder/display" >"$folder/xvfb.log" 2>&1 &
children+=($!)
read -r -t 60 number <"$folder/display" || fail "Xvfb did not start."
export DISPLAY=:$number

setpriv --pdeathsig TERM dbus-daemon --session --nofork --nopidfile --address="unix:path=$XDG_RUNTIME_DIR/bus" --print-address=6 \
    6>"$folder/address" >"$folder/dbus.log" 2>&1 &
children+=($!)
read -r -t 60 DBUS_SESSION_BUS_ADDRESS <"$folder/address" || fail "The D-Bus session did not start."
export DBUS_SESSION_BUS_ADDRESS

# The keyring is made on the first unlock; its password protects nothing but this throw-away home.
printf '%s' test | gnome-keyring-daemon --unlock --components=secrets --daemonize >"$folder/keyring.log" 2>&1 || fail "The keyring did not start."
keyring() {
    dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetConnectionUnixProcessID \
        string:org.freedesktop.secrets 2>/dev/null | grep -oE '[0-9]+$'
}
for _ in $(seq 100); do
    pid=$(keyring) && break
    sleep 0.1
done
[ -n "${pid:-}" ] || fail "The keyring did not come up on the D-Bus session."
children+=("$pid")

setpriv --pdeathsig TERM setsid "$@" &
command=$!
status=0
wait "$command" || status=$?
exit "$status"

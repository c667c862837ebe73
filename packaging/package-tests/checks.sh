# shellcheck shell=bash
# What the tests of the packages share. Sourced inside the Debian root, whose folder /test holds debs/, next/ (the same
# packages with a higher version) and these scripts. Each check is a line on descriptor 3 too: what ./test counts.
set -uo pipefail

# check WORDS COMMAND...: one test.
check() {
  local words=$1
  shift
  if "$@" > /tmp/check.log 2>&1 3>&-; then
    report "ok      $words"
  else
    report "FAILED  $words"
    tail -n 12 /tmp/check.log | sed 's/^/        /'
  fi
}

report() { echo "$1"; echo "$1" >&3; }

# eventually SECONDS COMMAND...: until it is true, and no longer than that.
eventually() {
  local end=$((SECONDS + $1))
  shift
  until "$@" > /dev/null 2>&1; do
    if [ "$SECONDS" -ge "$end" ]; then "$@"; return; fi
    sleep 0.1
  done
}

# fails COMMAND...
fails() { ! "$@"; }

# The acknowledgement set is the agent's own, and ends with it.
sets() { ipset save | grep -v ' sk-ack-'; }
# The same, but for what the kernel chooses anew whenever a set is made.
content() { sets | sed -E 's/ (initval|hashsize|bucketsize) [^ ]+//g'; }
status() { setkeeper --json status; }
packages() { printf '%s\n' "/test/$1"/setkeeper-node_*.deb "/test/$1"/setkeeper_*.deb "/test/$1"/setkeeper-gateway_*.deb; }
# shellcheck disable=SC2046
install_packages() { dpkg -i $(packages "$1"); }
installed_version() { dpkg-query -W -f '${Version}\n' setkeeper; }

write_model() {
  mkdir -p /etc/setkeeper/model.d
  printf 'mode: manage\nsources:\n  - directory: { path: /etc/setkeeper/model.d }\n' > /etc/setkeeper/agent.yaml
  cat > /etc/setkeeper/model.d/model.yaml <<'YAML'
profiles:
  web: { tags: [web] }
endpoints:
  a: { profiles: [web], ipv4: [10.0.0.1], ipv6: ["2001:db8::1"] }
YAML
}
add_endpoint() { printf '  %s: { profiles: [web], ipv4: [%s] }\n' "$1" "$2" >> /etc/setkeeper/model.d/model.yaml; }

# shellcheck disable=SC2034
export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8

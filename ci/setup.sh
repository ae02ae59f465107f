#!/usr/bin/env bash
# Installs what zl-bench needs on Debian 12 and Ubuntu 24.04. Silent where nothing is missing.
set -euo pipefail

usage() {
  cat <<'TXT'
usage: ci/setup.sh [--all] [--help]
Installs the packages that building zl-bench and running its quick tests needs; as root or through
sudo, else it prints the command to run and exits 1.
  --all   also what .ci/run needs: ccache, Chromium, clang, clang-format, git, Python 3, Slurm
TXT
}

packages=(cmake g++ libbenchmark-dev libgmock-dev libgtest-dev ninja-build nlohmann-json3-dev)
for argument in "$@"; do
  case "$argument" in
    --all)
      packages+=(ccache clang clang-format git libclang-rt-dev python3)
      packages+=(munge slurm-client slurmctld slurmd)
      # Ubuntu has it as a snap, under another name. Any Chromium or Chrome will do.
      if ! command -v chromium chromium-browser google-chrome >/dev/null; then
        if grep -qx 'ID=ubuntu' /etc/os-release; then
          packages+=(chromium-browser)
        else
          packages+=(chromium)
        fi
      fi
      ;;
    --help | -h)
      usage
      exit 0
      ;;
    *)
      printf "ci/setup.sh: unknown option '%s'\n" "$argument" >&2
      usage >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  printf 'ci/setup.sh: this is not Debian or Ubuntu. Needed, under their names there: %s\n' \
    "${packages[*]}" >&2
  exit 1
fi

# A virtual or renamed package counts where something installed provides it.
installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package} ${Provides}\n' |
  sed -n 's/^installed //p' | tr -s ', ' '\n')
missing=()
for package in "${packages[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    printf 'ci/setup.sh: missing packages; as root, run:\n  apt-get update && apt-get install -y --no-install-recommends %s\n' \
      "${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

printf 'ci/setup.sh: installing %s\n' "${missing[*]}"
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND="${DEBIAN_FRONTEND:-noninteractive}" apt-get -q "$@" </dev/null
}
apt update
apt install -y --no-install-recommends "${missing[@]}"

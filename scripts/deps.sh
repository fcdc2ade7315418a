#!/usr/bin/env bash
# Makes sure that the programs the tests need are installed: through apt where
# that is possible without asking anybody, and otherwise by saying what to do.
set -euo pipefail

# packages collects the Debian names of what is missing, wanted says it in words.
packages=()
wanted=()

need() { # need WORDS PACKAGE...
	wanted+=("$1")
	packages+=("${@:2}")
}

have() { command -v "$1" >/dev/null 2>&1; }

have_postgres() {
	{ have initdb && have postgres; } || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}

have_compiler() { # The race detector needs cgo, and with it headers.
	local compiler="${CC:-gcc}"
	have "$compiler" && echo '#include <stdlib.h>' | "$compiler" -fsyntax-only -x c - 2>/dev/null
}

have make || need "make" make
have_compiler || need "a C compiler with the C library's headers, for the race detector" gcc libc6-dev
have_postgres || need "PostgreSQL's server programs, initdb and postgres" postgresql
have chromium || have chromium-browser || have google-chrome ||
	need "Chromium, and a font for it" chromium fonts-dejavu-core

[ "${#packages[@]}" -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
	as_root=(sudo --non-interactive)
fi

if have apt-get && { [ "$(id -u)" -eq 0 ] || sudo --non-interactive true 2>/dev/null; }; then
	echo "Installing: ${packages[*]}"
	"${as_root[@]}" apt-get update -qq
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
		apt-get install -qq --yes --no-install-recommends "${packages[@]}" </dev/null
	exit 0
fi

{
	echo "The tests need, and this machine lacks:"
	printf '  - %s\n' "${wanted[@]}"
	echo "On Debian or Ubuntu:  sudo apt-get install ${packages[*]}"
	echo "Elsewhere, install the same programs and put them on PATH."
} >&2
exit 1

#!/usr/bin/env bash
# Fails unless every template's Go code is there, up to date and in Git. Changes
# nothing; `make generate` puts right what it finds.
set -euo pipefail

failed=0
complain() {
	echo "$1" >&2
	failed=1
}

while IFS= read -r generated; do
	template="${generated%_templ.go}.templ"
	[ -f "$template" ] || complain "$generated: its template is gone; delete it"
done < <(find . -name '*_templ.go' -not -path './.git/*')

# Code that is up to date here, but was never added, is missing everywhere else.
if tracked=$(git ls-files -- '*.templ' '*_templ.go' 2>/dev/null); then
	while IFS= read -r template; do
		generated="${template%.templ}_templ.go"
		grep -qxF -- "$generated" <<<"$tracked" || complain "$generated: not in Git, while $template is"
	done < <(grep '\.templ$' <<<"$tracked" || true)
fi

[ "$failed" -eq 0 ] || exit 1

go tool templ generate -check -log-level error || {
	echo "The code of the templates is not up to date; run: make generate" >&2
	exit 1
}

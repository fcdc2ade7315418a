#!/usr/bin/env bash
# Fails if a Go file is not gofmt'ed or a template is not formatted. Changes
# nothing.
set -euo pipefail

failed=0

unformatted=$(find . -name '*.go' -not -name '*_templ.go' -not -path './.git/*' -exec gofmt -l {} +)
if [ -n "$unformatted" ]; then
	printf 'not formatted, run gofmt -w: %s\n' $unformatted >&2
	failed=1
fi

templ=$(go tool -n templ)
while IFS= read -r template; do
	if ! "$templ" fmt -stdin-filepath "$template" <"$template" | cmp -s - "$template"; then
		echo "not formatted, run make generate: $template" >&2
		failed=1
	fi
done < <(find . -name '*.templ' -not -path './.git/*')

exit "$failed"

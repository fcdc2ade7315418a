package schema_test

import (
	"fmt"
	"strings"
	"testing"
)

const (
	defaults2 = `{"type":"object","properties":{"limit":{"type":"integer","default":20},"status":{"type":"string","default":"open"}},"additionalProperties":false}`
	fields3   = `{"type":"object","properties":{
		"id":{"type":"integer","minimum":1,"x-go-integer":"int64"},
		"status":{"type":"string","enum":["open","paid","shipped"]},
		"total":{"type":"number","minimum":0}
	},"required":["id","status"],"additionalProperties":false}`
	list100 = `{"type":"array","maxItems":100,"items":` + fields3 + `}`
)

func orders() string {
	var items []string
	for i := range 100 {
		items = append(items, fmt.Sprintf(`{"id":%d,"status":"paid","total":%d.25}`, i+1, i))
	}
	return "[" + strings.Join(items, ",") + "]"
}

func BenchmarkNormalise(b *testing.B) {
	benchmarks := []struct{ name, schema, value string }{
		{"empty/defaults=2", defaults2, `{}`},
		{"one/defaults=1", defaults2, `{"status":"paid"}`},
		{"object/fields=3", fields3, `{"id":7,"status":"paid","total":12.5}`},
		{"object/respelled", fields3, `{"id":7.0,"status":"paid","total":12.50}`},
		{"list/objects=100", list100, orders()},
		{"list/respelled=100", list100, strings.ReplaceAll(orders(), ".25", ".250")},
		{"issues", list100, strings.ReplaceAll(orders(), "paid", "x")},
	}
	for _, benchmark := range benchmarks {
		b.Run(benchmark.name, func(b *testing.B) {
			compiled := compile(b, benchmark.schema)
			value := parse(b, benchmark.value)
			b.ReportAllocs()
			for b.Loop() {
				compiled.Normalise(value)
			}
		})
	}
}

package schema_test

import "testing"

func wrong(issues ...string) []string { return issues }

func TestKeywords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		schema string
		fits   []fit
	}{
		{"no type", `{}`, []fit{
			{`null`, `null`, nil},
			{`[1.0,{"a":[true,"x",9007199254740993]}]`, `[1,{"a":[true,"x",9007199254740993]}]`, nil},
			{`[[1e999]]`, "", wrong("/0/0 is not a number that can be held")},
			{`12345678901234567890123456789012345678901`, "", wrong(" may have at most 40 digits")},
		}},
		{"string", `{"type":"string"}`, []fit{
			{`"x"`, `"x"`, nil},
			{`null`, "", wrong(" must be text")},
			{`1`, "", wrong(" must be text")},
		}},
		{"boolean", `{"type":"boolean"}`, []fit{
			{`true`, `true`, nil},
			{`"true"`, "", wrong(" must be true or false")},
		}},
		{"null", `{"type":"null"}`, []fit{
			{`null`, `null`, nil},
			{`0`, "", wrong(" must be null")},
		}},
		{"nullable", `{"type":["null","integer"]}`, []fit{
			{`null`, `null`, nil},
			{`2.0`, `2`, nil},
			{`"2"`, "", wrong(" must be a whole number")},
		}},
		{"integer", `{"type":"integer"}`, []fit{
			{`1.0`, `1`, nil},
			{`-0`, `0`, nil},
			{`12e2`, `1200`, nil},
			{`9007199254740993`, `9007199254740993`, nil},
			{`9007199254740993.0`, `9007199254740993`, nil},
			{`1.5`, "", wrong(" must be a whole number")},
			{`1e-400`, "", wrong(" is not a number that can be held")},
			{`1e40`, "", wrong(" may have at most 40 digits")},
			{`1e400`, "", wrong(" is not a number that can be held")},
			{`[]`, "", wrong(" must be a whole number")},
		}},
		{"number", `{"type":"number"}`, []fit{
			{`1.50`, `1.5`, nil},
			{`0.1000000000000000055`, `0.1`, nil},
			{`9007199254740993`, `9007199254740992`, nil},
			{`1000000000000000000000`, `1e+21`, nil},
			{`0.0000001`, `1e-7`, nil},
			{`-0.0`, `0`, nil},
			{`0`, `0`, nil},
			{`1e999`, "", wrong(" is not a number that can be held")},
			{`"1"`, "", wrong(" must be a number")},
		}},
		{"minimum and maximum of integers", `{"type":"integer","minimum":-2,"maximum":2.5}`, []fit{
			{`-2`, `-2`, nil},
			{`2`, `2`, nil},
			{`-3`, "", wrong(" must be at least -2")},
			{`3`, "", wrong(" must be at most 2.5")},
		}},
		{"exclusive limits of integers", `{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":10}`, []fit{
			{`1`, `1`, nil},
			{`9`, `9`, nil},
			{`0`, "", wrong(" must be more than 0")},
			{`10`, "", wrong(" must be less than 10")},
		}},
		{"limits of integers beyond doubles", `{"type":"integer","exclusiveMinimum":-9007199254740992,"maximum":9007199254740992}`, []fit{
			{`9007199254740992`, `9007199254740992`, nil},
			{`-9007199254740991`, `-9007199254740991`, nil},
			{`9007199254740993`, "", wrong(" must be at most 9007199254740992")},
			{`-9007199254740993`, "", wrong(" must be more than -9007199254740992")},
		}},
		{"limits of numbers", `{"type":"number","minimum":0.5,"exclusiveMaximum":1e21}`, []fit{
			{`0.5`, `0.5`, nil},
			{`0.49`, "", wrong(" must be at least 0.5")},
			{`1e21`, "", wrong(" must be less than 1e+21")},
		}},
		{"minimum of other kinds", `{"type":["integer","null"],"minimum":1}`, []fit{
			{`null`, `null`, nil},
		}},
		{"multipleOf", `{"type":"number","multipleOf":0.01}`, []fit{
			{`19.99`, `19.99`, nil},
			{`1e300`, `1e+300`, nil},
			{`0`, `0`, nil},
			{`-0.07`, `-0.07`, nil},
			{`0.005`, "", wrong(" must be a multiple of 0.01")},
		}},
		{"multipleOf of integers", `{"type":"integer","multipleOf":3}`, []fit{
			{`9007199254740993`, `9007199254740993`, nil},
			{`1000000000000000000000000000000000000002`, `1000000000000000000000000000000000000002`, nil},
			{`9007199254740992`, "", wrong(" must be a multiple of 3")},
		}},
		{"int64", `{"type":"integer","x-go-integer":"int64"}`, []fit{
			{`9223372036854775807`, `9223372036854775807`, nil},
			{`-9223372036854775808`, `-9223372036854775808`, nil},
			{`9223372036854775808`, "", wrong(" must be at most 9223372036854775807")},
			{`-9223372036854775809`, "", wrong(" must be at least -9223372036854775808")},
		}},
		{"uint64", `{"type":"integer","minimum":0,"x-go-integer":"uint64"}`, []fit{
			{`18446744073709551615`, `18446744073709551615`, nil},
			{`18446744073709551616`, "", wrong(" must be at most 18446744073709551615")},
			{`-1`, "", wrong(" must be at least 0")},
		}},
		{"lengths", `{"type":"string","minLength":2,"maxLength":3}`, []fit{
			{`"éé"`, `"éé"`, nil},
			{`"ééé"`, `"ééé"`, nil},
			{`"é"`, "", wrong(" must have at least 2 characters")},
			{`"éééé"`, "", wrong(" may have at most 3 characters")},
		}},
		{"one character", `{"type":"string","minLength":1,"maxLength":1}`, []fit{
			{`""`, "", wrong(" must have at least 1 character")},
			{`"ab"`, "", wrong(" may have at most 1 character")},
		}},
		{"pattern", `{"type":"string","pattern":"^[a-z]+$"}`, []fit{
			{`"abc"`, `"abc"`, nil},
			{`"ABC"`, "", wrong(" must match the pattern ^[a-z]+$")},
		}},
		{"enum", `{"type":["string","null"],"enum":["a","b",null]}`, []fit{
			{`"b"`, `"b"`, nil},
			{`null`, `null`, nil},
			{`"c"`, "", wrong(` must be one of "a", "b", null`)},
			{`1`, "", wrong(` must be one of "a", "b", null`)},
		}},
		{"enum without null", `{"type":["string","null"],"enum":["a"]}`, []fit{
			{`null`, "", wrong(` must be "a"`)},
		}},
		{"enum of integers", `{"type":"integer","enum":[1,2.0]}`, []fit{
			{`1.0`, `1`, nil},
			{`2`, `2`, nil},
			{`3`, "", wrong(" must be one of 1, 2")},
		}},
		{"enum of numbers", `{"type":"number","enum":[0.5,1]}`, []fit{
			{`0.50`, `0.5`, nil},
			{`1.0`, `1`, nil},
			{`2`, "", wrong(" must be one of 0.5, 1")},
		}},
		{"enum without type", `{"enum":["a",1,true]}`, []fit{
			{`1.0`, `1`, nil},
			{`true`, `true`, nil},
			{`null`, "", wrong(` must be one of "a", 1, true`)},
			{`false`, "", wrong(` must be one of "a", 1, true`)},
		}},
		{"const", `{"const":"a"}`, []fit{
			{`"a"`, `"a"`, nil},
			{`"b"`, "", wrong(` must be "a"`)},
		}},
		{"const null", `{"const":null}`, []fit{
			{`null`, `null`, nil},
			{`0`, "", wrong(" must be null")},
		}},
		{"enum and const", `{"enum":["a","b"],"const":"b"}`, []fit{
			{`"b"`, `"b"`, nil},
			{`"a"`, "", wrong(` must be "b"`)},
		}},
		{"items", `{"type":"array","items":{"type":"integer"}}`, []fit{
			{`[]`, `[]`, nil},
			{`[1,2.0,3]`, `[1,2,3]`, nil},
			{`[1,"x",2,1.5]`, "", wrong("/1 must be a whole number", "/3 must be a whole number")},
			{`{}`, "", wrong(" must be a list")},
		}},
		{"items of items", `{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`, []fit{
			{`[[1],[2.0,3],[4,5.0]]`, `[[1],[2,3],[4,5]]`, nil},
			{`[[1],[2.0,"x"]]`, "", wrong("/1/1 must be a whole number")},
		}},
		{"sizes", `{"type":"array","minItems":1,"maxItems":2}`, []fit{
			{`[1]`, `[1]`, nil},
			{`[]`, "", wrong(" must have at least 1 item")},
			{`[1,2,3]`, "", wrong(" may have at most 2 items")},
		}},
		{"uniqueItems of anything", `{"type":"array","uniqueItems":true}`, []fit{
			{`[1,"1",true,null,[1],{"a":1}]`, `[1,"1",true,null,[1],{"a":1}]`, nil},
			{`[1,2,1.0,2]`, "", wrong("/2 repeats an earlier item", "/3 repeats an earlier item")},
			{`[{"a":1,"b":2},{"b":2,"a":1}]`, "", wrong("/1 repeats an earlier item")},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			check(t, test.schema, test.fits)
		})
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	tests := []struct {
		format, words string
		good, bad     []string
	}{
		{
			"date-time", "a date and time like 2006-01-02T15:04:05Z",
			[]string{"2025-02-28T23:59:59Z", "2025-02-28T23:59:59.123456789+05:30", "2025-02-28T23:59:59-00:00"},
			[]string{"", "2025-02-29T00:00:00Z", "2025-02-28T5:00:00Z", "2025-02-28T05:00:00,5Z", "2025-02-28T05:00:00", "2025-02-28", "2025-02-28T05:00:00+24:00", "2025-02-28T05:00:00+05:60"},
		},
		{
			"date", "a date like 2006-01-02",
			[]string{"2024-02-29"},
			[]string{"", "2025-02-29", "2025-2-01", "2025-02-01T00:00:00Z", " 2025-02-01"},
		},
		{
			"time", "a time like 15:04:05Z",
			[]string{"23:59:59Z", "00:00:00.5-08:00"},
			[]string{"", "24:00:00Z", "1:00:00Z", "10:00:00", "10:00Z"},
		},
		{
			"email", "an e-mail address",
			[]string{"a@example.com", "a.b+c@example.com"},
			[]string{"", "a", "a@", "A <a@example.com>", "<a@example.com>", "a@example.com (x)", "a@b, c@d", " a@example.com"},
		},
		{
			"uri", "a full URI like https://example.com/",
			[]string{"https://example.com/a?b=c#d", "mailto:a@example.com", "urn:isbn:1", "https://[::1]:80/"},
			[]string{"", "/a", "example.com", "//example.com", "http://", "https://example.com/a b", "https://exa\nmple.com", "https://example.com/é", "https://a/%zz"},
		},
		{
			"uuid", "a UUID",
			[]string{"01890a5d-ac96-774b-bcce-b302099a8057", "01890A5D-AC96-774B-BCCE-B302099A8057"},
			[]string{"", "01890a5dac96774bbcceb302099a8057", "{1890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a805g", "01890a5d-ac96-774b-bcce-b302099a80577"},
		},
		{
			"ipv4", "an IPv4 address",
			[]string{"127.0.0.1"},
			[]string{"", "127.0.0.01", "127.1", "::1", "127.0.0.1/8"},
		},
		{
			"ipv6", "an IPv6 address",
			[]string{"::1", "::ffff:127.0.0.1"},
			[]string{"", "127.0.0.1", "fe80::1%eth0", "[::1]"},
		},
		{
			"hostname", "a host name",
			[]string{"localhost", "a-1.example.com", "3com.com"},
			[]string{"", "a..b", ".a", "a.", "-a", "a-", "a_b", "é.com", long(64), long(63) + "." + long(63) + "." + long(63) + "." + long(63)},
		},
	}
	for _, test := range tests {
		t.Run(test.format, func(t *testing.T) {
			t.Parallel()
			var fits []fit
			for _, s := range test.good {
				fits = append(fits, fit{quoted(t, s), quoted(t, s), nil})
			}
			for _, s := range test.bad {
				fits = append(fits, fit{quoted(t, s), "", wrong(" must be " + test.words)})
			}
			check(t, `{"type":"string","format":"`+test.format+`"}`, fits)
		})
	}
}

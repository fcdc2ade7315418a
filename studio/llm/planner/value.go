package planner

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// object is a JSON object whose members keep their order.
type object []member

// member is one name and value of an object. Values are nil, bool, string,
// json.Number, []any or object.
type member struct {
	name  string
	value any
}

// get returns the value of a member, or nil.
func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text returns a member that is a string, or "".
func (o object) text(name string) string {
	s, _ := o.get(name).(string)
	return s
}

// maxDepth bounds how deeply nested a value may be.
const maxDepth = 64

var errTrailing = errors.New("planner: more than one JSON value")

// parseJSON reads exactly one JSON value.
func parseJSON(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value, err := parseValue(decoder, maxDepth)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	return value, nil
}

var errDepth = errors.New("planner: JSON value too deep")

func parseValue(decoder *json.Decoder, depth int) (any, error) {
	if depth == 0 {
		return nil, errDepth
	}
	start, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch start {
	case json.Delim('{'):
		return parseObject(decoder, depth)
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			item, err := parseValue(decoder, depth-1)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = decoder.Token()
		return list, err
	default:
		return start, nil
	}
}

func parseObject(decoder *json.Decoder, depth int) (any, error) {
	out := object{}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		value, err := parseValue(decoder, depth-1)
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		out = append(out, member{name: name, value: value})
	}
	_, err := decoder.Token()
	return out, err
}

package schemas

import (
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"
)

// object returns the schema of a struct.
func (w *walker) object(t reflect.Type, path string) (*jsonschema.Schema, error) {
	if slices.Contains(w.open, t) {
		return nil, refuse(path, "%s holds itself, and schemas here are finite; give the inner level a type of its own", t)
	}
	w.open = append(w.open, t)
	defer func() { w.open = w.open[:len(w.open)-1] }()

	s := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: nothing(),
	}
	if err := w.fields(s, t, path); err != nil {
		return nil, err
	}
	// The decoder has the last word on whether it takes the type at all.
	if err := json.Unmarshal([]byte("{}"), reflect.New(t).Interface()); err != nil {
		return nil, refuse(path, "cannot be decoded: %w", err)
	}
	return s, nil
}

// fields adds the fields of t to s, those of embedded structs in their place.
func (w *walker) fields(s *jsonschema.Schema, t reflect.Type, path string) error {
	for sf := range t.Fields() {
		f, kept, err := parseField(sf, path+"."+sf.Name)
		if err != nil {
			return err
		}
		if !kept {
			continue
		}
		if f.inline {
			err = w.embedded(s, sf, path)
		} else {
			err = w.field(s, sf, f, path+"."+f.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// embedded adds the fields of an embedded struct to s.
func (w *walker) embedded(s *jsonschema.Schema, sf reflect.StructField, path string) error {
	at := path + "." + sf.Name
	if sf.Type.Kind() == reflect.Pointer {
		return refuse(at, "an embedded pointer makes its fields come and go together; embed the struct by value")
	}
	_, special := w.asSpecial(sf.Type)
	if sf.Type.Kind() != reflect.Struct || special || codecOf(sf.Type) != codecNone {
		return refuse(at, "only plain structs can be embedded; give the field a JSON name")
	}
	if tag := firstTag(sf.Tag); tag != "" {
		return refuse(at, "tag %s: means nothing on an embedded struct; give the field a JSON name", tag)
	}
	return w.fields(s, sf.Type, path)
}

// field adds one property to s.
func (w *walker) field(s *jsonschema.Schema, sf reflect.StructField, f field, path string) error {
	if err := addName(s, f.name, path); err != nil {
		return err
	}
	property, err := w.schema(sf.Type, path)
	if err != nil {
		return err
	}
	if err := constrain(property, sf, path); err != nil {
		return err
	}
	s.Properties[f.name] = property
	if !f.optional && sf.Type.Kind() != reflect.Pointer && property.Default == nil && !property.ReadOnly {
		s.Required = append(s.Required, f.name)
	}
	return nil
}

// field is what a json tag says.
type field struct {
	name     string
	inline   bool // the fields of the embedded struct are the outer struct's own
	optional bool
}

// parseField reads the json tag of a field as the decoder does, and refuses
// what would make the JSON differ from the Go type. kept false means that the
// field is not in the JSON.
func parseField(sf reflect.StructField, path string) (f field, kept bool, err error) {
	tag, tagged := sf.Tag.Lookup("json")
	if tag == "-" {
		return field{}, false, nil
	}
	name, options, hasOptions := strings.Cut(tag, ",")
	if !sf.IsExported() && (!sf.Anonymous || name != "") {
		if tagged {
			return field{}, false, refuse(path, "has a json tag but is not exported; export it or remove the tag")
		}
		return field{}, false, nil
	}
	if strings.ContainsAny(name, "\\'\"`") {
		return field{}, false, refuse(path, "the JSON name %q holds a quote or a backslash; use letters, digits and _", name)
	}
	f.name, f.inline = name, sf.Anonymous && name == ""
	if name == "" {
		f.name = sf.Name
	}
	if !hasOptions {
		return f, true, nil
	}
	if f.inline {
		return field{}, false, refuse(path, "an embedded struct takes no options in its json tag; give it a JSON name or remove them")
	}
	f.optional = true
	return f, true, parseOptions(options, path)
}

// parseOptions refuses every option of a json tag but omitempty and omitzero.
func parseOptions(options, path string) error {
	var seen []string
	for option := range strings.SplitSeq(options, ",") {
		if option != "omitempty" && option != "omitzero" {
			return refuse(path, "the json tag has the option %q, which no schema can say; only omitempty and omitzero are supported", option)
		}
		if slices.Contains(seen, option) {
			return refuse(path, "the json tag has the option %q twice", option)
		}
		seen = append(seen, option)
	}
	return nil
}

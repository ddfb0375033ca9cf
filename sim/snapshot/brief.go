package snapshot

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// briefMax is how many items of a list Brief writes.
const briefMax = 20

// Brief is an input or an effect of a server in one line for a person: its type with the fields that are not zero. Events are
// their ids and kinds, and of long lists the first items are written.
func Brief(value any) string {
	var b strings.Builder
	brief(&b, reflect.ValueOf(value))
	return b.String()
}

var event = reflect.TypeFor[nostr.Event]()

func brief(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer, reflect.Interface:
		brief(b, v.Elem())
	case reflect.Struct:
		if v.Type() == event {
			fmt.Fprintf(b, "event %s (kind %d)", v.FieldByName("ID").String(), v.FieldByName("Kind").Int())
			return
		}
		briefFields(b, v)
	case reflect.Slice, reflect.Array:
		var items []string
		for i := range min(v.Len(), briefMax) {
			var item strings.Builder
			brief(&item, v.Index(i))
			items = append(items, item.String())
		}
		if more := v.Len() - len(items); more > 0 {
			items = append(items, fmt.Sprintf("and %d more", more))
		}
		fmt.Fprintf(b, "[%s]", strings.Join(items, ", "))
	case reflect.Map:
		var items []string
		for _, key := range v.MapKeys() {
			var item strings.Builder
			brief(&item, v.MapIndex(key))
			items = append(items, keyText(key)+": "+item.String())
		}
		slices.Sort(items)
		fmt.Fprintf(b, "{%s}", strings.Join(items, ", "))
	case reflect.Func:
		b.WriteString("func")
	case reflect.String:
		b.WriteString(briefText(v.String()))
	default:
		b.WriteString(leaf(v))
	}
}

func briefFields(b *strings.Builder, v reflect.Value) {
	var fields []string
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		var field strings.Builder
		brief(&field, v.Field(i))
		fields = append(fields, v.Type().Field(i).Name+": "+field.String())
	}
	fmt.Fprintf(b, "%s{%s}", v.Type().Name(), strings.Join(fields, ", "))
}

// briefText is a text without quotes, if it is one word.
func briefText(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\n\"{}[],") {
		return fmt.Sprintf("%q", s)
	}
	return s
}

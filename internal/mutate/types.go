package mutate

import (
	"go/types"
	"path"
	"strconv"
)

func isBool(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

func isInteger(t types.Type) bool { return isBasic(t, types.IsInteger) }

func isText(t types.Type) bool { return isBasic(t, types.IsString) }

func isBasic(t types.Type, info types.BasicInfo) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&info != 0
}

// typeName is how the file names a type, and whether it can.
func (f *finder) typeName(t types.Type) (string, bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Name(), t.Info()&types.IsUntyped == 0
	case *types.Named:
		name := t.Obj()
		if t.TypeArgs().Len() > 0 || name.Pkg() == nil {
			return "", false
		}
		if name.Pkg() == f.pkg.Types {
			return name.Name(), name.Parent() == f.pkg.Types.Scope()
		}
		for _, spec := range f.file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil || imported != name.Pkg().Path() {
				continue
			}
			if spec.Name != nil {
				return spec.Name.Name + "." + name.Name(), true
			}
			return path.Base(name.Pkg().Name()) + "." + name.Name(), true
		}
	}
	return "", false
}

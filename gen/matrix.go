package gen

import (
	"io/fs"

	"github.com/lorimer-dev/lorimer/gen/matrix"
)

// Matrix is what the harnesses of the descriptors at the root of fsys can, in the versions that asOf is a label of; "" = the
// newest. ids narrows it down; none = all of them. dir is how that folder is named in errors.
func Matrix(fsys fs.FS, dir string, proofs fs.FS, asOf string, ids []string) (matrix.Matrix, error) {
	p, err := load(fsys, dir)
	if err != nil {
		return matrix.Matrix{}, err
	}
	m, err := matrix.Build(p, proofs, asOf)
	if err != nil {
		return m, err
	}
	return m.Only(ids)
}

package hosttrust

import _ "github.com/lorimer-dev/lorimer/internal/goldentest" // so that `go test ./... -update` knows the flag here, too

package hookmatch

import _ "github.com/lorimer-dev/lorimer/internal/goldentest" // the -update flag

package platform

import _ "github.com/lorimer-dev/lorimer/internal/goldentest"

package claudehooks

import _ "github.com/lorimer-dev/lorimer/internal/goldentest"

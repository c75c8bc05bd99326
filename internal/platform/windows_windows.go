package platform

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	user32        = windows.NewLazySystemDLL("user32.dll")
	getWindowText = user32.NewProc("GetWindowTextW")
)

func visibleWindows() (all []Window, _ bool) {
	each := syscall.NewCallback(func(h windows.HWND, _ uintptr) uintptr {
		if windows.IsWindowVisible(h) {
			all = append(all, describeWindow(h))
		}
		return 1 // go on
	})
	if err := windows.EnumWindows(each, nil); err != nil {
		return nil, false
	}
	return all, true
}

func describeWindow(h windows.HWND) Window {
	var pid uint32
	windows.GetWindowThreadProcessId(h, &pid)
	var class, title [256]uint16
	windows.GetClassName(h, &class[0], int32(len(class)))
	getWindowText.Call(uintptr(h), uintptr(unsafe.Pointer(&title[0])), uintptr(len(title)))
	return Window{Handle: uintptr(h), PID: int(pid), Class: windows.UTF16ToString(class[:]), Title: windows.UTF16ToString(title[:])}
}

package dispatch

const nonblock = 0

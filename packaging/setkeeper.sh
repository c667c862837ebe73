#!/bin/sh
# The command line, with the Node that belongs to it.
exec /usr/lib/setkeeper/node --disable-proto=delete /usr/lib/setkeeper/setkeeper.js "$@"

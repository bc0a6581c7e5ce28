# Functions that the scripts of these images, and those of charts, call.
log() { echo "${BITNAMI_APP_NAME:-} $(date +%T.00) $*" >&2; }
info() { log "INFO  ==> $*"; }
warn() { log "WARN  ==> $*"; }
error() { log "ERROR ==> $*"; }
debug() { if is_boolean_yes "${BITNAMI_DEBUG:-false}"; then log "DEBUG ==> $*"; fi; }
print_validation_error() { error "$1"; }
is_boolean_yes() { case "${1:-}" in 1 | [yY][eE][sS] | [tT][rR][uU][eE]) return 0 ;; esac; return 1; }
is_empty_value() { [ -z "${1:-}" ]; }
is_dir_empty() { [ ! -d "$1" ] || [ -z "$(ls -A "$1")" ]; }
is_mounted_dir_empty() { is_dir_empty "$1"; }
is_file_writable() { [ -w "$1" ]; }
ensure_dir_exists() { [ -d "$1" ] || mkdir -p "$1"; }
am_i_root() { [ "$(id -u)" = 0 ]; }

# secret NAME sets the variable from the file that NAME_FILE names.
secret() {
    local file="${1}_FILE"
    file="$(printenv "$file" || true)"
    if [ -f "$file" ]; then export "$1=$(cat "$file")"; fi
}

# settle FROM TO copies what is missing in TO, which a volume may have hidden.
settle() {
    local file
    [ -w "$2" ] || return 0
    for file in $(ls -A "$1"); do
        [ -e "$2/$file" ] || cp -r "$1/$file" "$2/$file"
    done
}

# demand PASSWORD VARIABLE refuses an empty password, unless that is allowed.
demand() {
    if [ -n "$1" ]; then return; fi
    if is_boolean_yes "${ALLOW_EMPTY_PASSWORD:-no}"; then
        warn "ALLOW_EMPTY_PASSWORD=${ALLOW_EMPTY_PASSWORD} is set: do not do this in production."
        return
    fi
    error "The $2 environment variable is empty or not set. ALLOW_EMPTY_PASSWORD=yes allows that."
    exit 1
}

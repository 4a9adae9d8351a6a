#!/bin/sh
# Makes a certificate authority and a certificate for each role of a cluster: scheduler, worker, coordinator.
#
#     sh certificates.sh FOLDER [NAME...]
#
# NAME is a host name or IP address that the scheduler is reached by; without any, `localhost`. The
# certificates hold for a year (DAYS). Keep ca.key off the machines of the cluster: whoever has it
# can make nodes. The files belong to user 10001, which the image runs as, if root makes them.
set -eu

if [ $# -lt 1 ]; then
    echo "usage: sh certificates.sh FOLDER [NAME...]" >&2
    exit 2
fi
folder=$1
shift
[ $# -gt 0 ] || set -- localhost
if [ -e "$folder/ca.key" ]; then
    echo "certificates.sh: $folder has certificates; remove it to make new ones." >&2
    exit 1
fi
days=${DAYS:-365}
names=
for name in "$@"; do
    case $name in
    *[!0-9.]*) kind=DNS ;;
    *) kind=IP ;;
    esac
    case $name in
    *:*) kind=IP ;;
    esac
    names="$names${names:+,}$kind:$name"
done

umask 077
mkdir -p "$folder"
cd "$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days "$days" -sha256 \
    -subj "/CN=Gossamer cluster" -addext "basicConstraints=critical,CA:TRUE,pathlen:0" \
    -addext "keyUsage=critical,keyCertSign" -keyout ca.key -out ca.pem 2>/dev/null
for role in scheduler worker coordinator; do
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256 \
        -subj "/CN=$role" -keyout "$role.key" -out "$role.csr" 2>/dev/null
    printf 'basicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth,clientAuth\nsubjectAltName=%s\n' \
        "$names" >extensions
    openssl x509 -req -in "$role.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days "$days" \
        -sha256 -extfile extensions -out "$role.pem" 2>/dev/null
    rm "$role.csr" extensions
done
rm -f ca.srl
if [ "$(id -u)" = 0 ]; then
    chown "${OWNER:-10001}" . ca.pem scheduler.* worker.* coordinator.*
fi
echo "made: ca, scheduler, worker and coordinator, for $names, $days days"

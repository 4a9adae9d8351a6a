#!/bin/sh
# Signs and notarises Gossamer.app and puts it into a disk image.
# Usage: sh notarise.sh Gossamer.app OUTPUT.dmg
# SIGNING_IDENTITY is a "Developer ID Application" in the keychain; APPLE_ID, APPLE_TEAM and APPLE_PASSWORD, an app-specific password,
# are for Apple's notary. Without SIGNING_IDENTITY the image is unsigned: macOS then asks before it opens the program.
set -eu
app=$1
image=$2
here=$(dirname "$0")

if [ -n "${SIGNING_IDENTITY:-}" ]; then
    # From the inside out: what contains something is signed after it.
    find "$app/Contents" -type f \( -name '*.so' -o -name '*.dylib' \) -print0 |
        xargs -0 codesign --force --timestamp --options runtime --sign "$SIGNING_IDENTITY"
    codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" \
        --sign "$SIGNING_IDENTITY" "$app"
    codesign --verify --deep --strict --verbose=2 "$app"
fi

staged=$(mktemp -d)
cp -R "$app" "$staged/"
ln -s /Applications "$staged/Applications"
hdiutil create -volname Gossamer -srcfolder "$staged" -ov -format UDZO "$image"
rm -r "$staged"

if [ -n "${SIGNING_IDENTITY:-}" ]; then
    codesign --timestamp --sign "$SIGNING_IDENTITY" "$image"
    xcrun notarytool submit "$image" --wait \
        --apple-id "$APPLE_ID" --team-id "$APPLE_TEAM" --password "$APPLE_PASSWORD"
    xcrun stapler staple "$image"
    spctl --assess --type open --context context:primary-signature --verbose "$image"
fi

; The installer for Windows: for one person, without administrator rights. Made by makensis on any system:
;   makensis -DVERSION=0.1.0 -DFOLDER=path\to\gossamer-0.1.0-windows-x86_64 -DICON=path\to\gossamer.ico -DOUTPUT=setup.exe gossamer.nsi
;
; Installing again replaces the program. Uninstalling removes the program and what this file writes into the registry; projects,
; logs and settings stay, wherever they are.
Unicode true
!include "MUI2.nsh"
!include "FileFunc.nsh"

!define NAME "Gossamer"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Gossamer"
!define CLASSES "Software\Classes"
!define PROJECT "Gossamer.Project"

Name "${NAME} ${VERSION}"
OutFile "${OUTPUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Gossamer"
SetCompressor /SOLID lzma
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Installs ${NAME}"
VIAddVersionKey "LegalCopyright" "MIT"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\gossamerw.exe"
!insertmacro MUI_PAGE_LICENSE "${FOLDER}\LICENSE"
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

!macro RefuseWhileItRuns
  ; A program that runs cannot be opened for writing.
  IfFileExists "$INSTDIR\gossamerw.exe" 0 +6
  ClearErrors
  FileOpen $0 "$INSTDIR\gossamerw.exe" a
  IfErrors 0 +3
  MessageBox MB_OK|MB_ICONEXCLAMATION "Gossamer is running. Close it, then try again. Crawls are saved." /SD IDOK
  Abort
  FileClose $0
!macroend

!macro RemoveProgram
  ; By name: a person may have put something beside it.
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\LICENSES"
  Delete "$INSTDIR\gossamer.exe"
  Delete "$INSTDIR\gossamerw.exe"
  Delete "$INSTDIR\gossamer.ico"
  Delete "$INSTDIR\LICENSE"
!macroend

Section "Gossamer"
  !insertmacro RefuseWhileItRuns
  !insertmacro RemoveProgram
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}\*.*"
  File "/oname=gossamer.ico" "${ICON}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Gossamer.lnk" "$INSTDIR\gossamerw.exe" "" "$INSTDIR\gossamer.ico"

  WriteRegStr HKCU "${CLASSES}\.gossamer\OpenWithProgids" "${PROJECT}" ""
  WriteRegStr HKCU "${CLASSES}\.gossamer" "" "${PROJECT}"
  WriteRegStr HKCU "${CLASSES}\${PROJECT}" "" "Gossamer project"
  WriteRegStr HKCU "${CLASSES}\${PROJECT}\DefaultIcon" "" "$INSTDIR\gossamer.ico"
  WriteRegStr HKCU "${CLASSES}\${PROJECT}\shell\open\command" "" '"$INSTDIR\gossamerw.exe" "%1"'
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\gossamer.exe" "" "$INSTDIR\gossamer.exe"

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Gossamer contributors"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\gossamer.ico"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Section "Uninstall"
  !insertmacro RefuseWhileItRuns
  !insertmacro RemoveProgram
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Gossamer.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${CLASSES}\${PROJECT}"
  DeleteRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\gossamer.exe"
  DeleteRegValue HKCU "${CLASSES}\.gossamer\OpenWithProgids" "${PROJECT}"
  ReadRegStr $0 HKCU "${CLASSES}\.gossamer" ""
  StrCmp $0 "${PROJECT}" 0 +2
  DeleteRegValue HKCU "${CLASSES}\.gossamer" ""
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

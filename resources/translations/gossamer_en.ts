<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>AccessController</name>
    <message numerus="yes">
        <source>{sentence} So do %Ln other host(s).</source>
        <translation>
            <numerusform>{sentence} So does %Ln other host.</numerusform>
            <numerusform>{sentence} So do %Ln other hosts.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BrokenLinksPane</name>
    <message numerus="yes">
        <source>%Ln link(s)</source>
        <translation>
            <numerusform>%Ln link</numerusform>
            <numerusform>%Ln links</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message numerus="yes">
        <source>%Ln target(s) gone</source>
        <translation>
            <numerusform>%Ln target gone</numerusform>
            <numerusform>%Ln targets gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new target(s)</source>
        <translation>
            <numerusform>%Ln new target</numerusform>
            <numerusform>%Ln new targets</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesPane</name>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln URL</numerusform>
            <numerusform>%Ln URLs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Clipboard</name>
    <message numerus="yes">
        <source>The first %Ln rows copied; export for all</source>
        <translation>
            <numerusform>The first %Ln rows copied; export for all</numerusform>
            <numerusform>The first %Ln rows copied; export for all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) copied</source>
        <translation>
            <numerusform>%Ln row copied</numerusform>
            <numerusform>%Ln rows copied</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln URL</numerusform>
            <numerusform>%Ln URLs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComparisonHead</name>
    <message numerus="yes">
        <source>%Ln issue(s) got worse.</source>
        <translation>
            <numerusform>%Ln issue got worse.</numerusform>
            <numerusform>%Ln issues got worse.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln issue(s) got better.</source>
        <translation>
            <numerusform>%Ln issue got better.</numerusform>
            <numerusform>%Ln issues got better.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln page</numerusform>
            <numerusform>%Ln pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new URL(s)</source>
        <translation>
            <numerusform>%Ln new URL</numerusform>
            <numerusform>%Ln new URLs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln missing URL(s)</source>
        <translation>
            <numerusform>%Ln missing URL</numerusform>
            <numerusform>%Ln missing URLs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln changed URL(s)</source>
        <translation>
            <numerusform>%Ln changed URL</numerusform>
            <numerusform>%Ln changed URLs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln URL</numerusform>
            <numerusform>%Ln URLs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CrawlEndNotifications</name>
    <message numerus="yes">
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln page</numerusform>
            <numerusform>%Ln pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CrawlPresenter</name>
    <message numerus="yes">
        <source>Cancelled: %Ln URL(s).</source>
        <translation>
            <numerusform>Cancelled: %Ln URL.</numerusform>
            <numerusform>Cancelled: %Ln URLs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Finished, except for %Ln URL(s) skipped for now.</source>
        <translation>
            <numerusform>Finished, except for %Ln URL skipped for now.</numerusform>
            <numerusform>Finished, except for %Ln URLs skipped for now.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DetailList</name>
    <message numerus="yes">
        <source>%Ln other URL(s) redirect here</source>
        <translation>
            <numerusform>%Ln other URL redirects here</numerusform>
            <numerusform>%Ln other URLs redirect here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DetailTabs</name>
    <message numerus="yes">
        <source>%Ln other reference(s) included</source>
        <translation>
            <numerusform>%Ln other reference included</numerusform>
            <numerusform>%Ln other references included</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DuplicateTextsView</name>
    <message numerus="yes">
        <source>%Ln equal line(s)</source>
        <translation>
            <numerusform>%Ln equal line</numerusform>
            <numerusform>%Ln equal lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln equal paragraph(s)</source>
        <translation>
            <numerusform>%Ln equal paragraph</numerusform>
            <numerusform>%Ln equal paragraphs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportChoices</name>
    <message numerus="yes">
        <source>Inlinks of %Ln URL(s)</source>
        <translation>
            <numerusform>Inlinks of %Ln URL</numerusform>
            <numerusform>Inlinks of %Ln URLs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Outlinks of %Ln URL(s)</source>
        <translation>
            <numerusform>Outlinks of %Ln URL</numerusform>
            <numerusform>Outlinks of %Ln URLs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message numerus="yes">
        <source>Saved %Ln page(s) to {path}.</source>
        <translation>
            <numerusform>Saved %Ln page to {path}.</numerusform>
            <numerusform>Saved %Ln pages to {path}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln row(s) to {name}.</source>
        <translation>
            <numerusform>Saved %Ln row to {name}.</numerusform>
            <numerusform>Saved %Ln rows to {name}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln row(s) to {files} files. {name} is the sitemap index.</source>
        <translation>
            <numerusform>Saved %Ln row to {files} files. {name} is the sitemap index.</numerusform>
            <numerusform>Saved %Ln rows to {files} files. {name} is the sitemap index.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The rules left out %Ln more.</source>
        <translation>
            <numerusform>The rules left out %Ln more.</numerusform>
            <numerusform>The rules left out %Ln more.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln row(s) to {files} files in {name}.</source>
        <translation>
            <numerusform>Saved %Ln row to {files} files in {name}.</numerusform>
            <numerusform>Saved %Ln rows to {files} files in {name}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportPreview</name>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>%Ln rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message numerus="yes">
        <source>%Ln value(s)</source>
        <translation>
            <numerusform>%Ln value</numerusform>
            <numerusform>%Ln values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>%Ln rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FolderDifferencesTree</name>
    <message numerus="yes">
        <source>%Ln more folder(s) are not shown</source>
        <translation>
            <numerusform>%Ln more folder are not shown</numerusform>
            <numerusform>%Ln more folders are not shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryWindow</name>
    <message numerus="yes">
        <source>%Ln crawl(s)</source>
        <translation>
            <numerusform>%Ln crawl</numerusform>
            <numerusform>%Ln crawls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IgnoreDialog</name>
    <message numerus="yes">
        <source>For the %Ln &amp;selected URL(s)</source>
        <translation>
            <numerusform>For the %Ln &amp;selected URL</numerusform>
            <numerusform>For the %Ln &amp;selected URLs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImagesView</name>
    <message numerus="yes">
        <source>%Ln image(s) in the source of the page</source>
        <translation>
            <numerusform>%Ln image in the source of the page</numerusform>
            <numerusform>%Ln images in the source of the page</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportController</name>
    <message numerus="yes">
        <source>Reading %Ln archive(s)… {percent} %</source>
        <translation>
            <numerusform>Reading %Ln archive… {percent} %</numerusform>
            <numerusform>Reading %Ln archives… {percent} %</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IssuesNotice</name>
    <message numerus="yes">
        <source>The audit found %Ln issue(s).</source>
        <translation>
            <numerusform>The audit found %Ln issue.</numerusform>
            <numerusform>The audit found %Ln issues.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of these, %Ln have a high priority.</source>
        <translation>
            <numerusform>Of these, %Ln has a high priority.</numerusform>
            <numerusform>Of these, %Ln have a high priority.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LoginDialog</name>
    <message numerus="yes">
        <source>%Ln cookie(s)</source>
        <translation>
            <numerusform>%Ln cookie</numerusform>
            <numerusform>%Ln cookies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln stored value(s)</source>
        <translation>
            <numerusform>%Ln stored value</numerusform>
            <numerusform>%Ln stored values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NodeList</name>
    <message numerus="yes">
        <source>%Ln more node(s)</source>
        <translation>
            <numerusform>%Ln more node</numerusform>
            <numerusform>%Ln more nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NotesPane</name>
    <message numerus="yes">
        <source>%Ln note(s)</source>
        <translation>
            <numerusform>%Ln note</numerusform>
            <numerusform>%Ln notes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PageFieldsButton</name>
    <message numerus="yes">
        <source>{fields} and %Ln more</source>
        <translation>
            <numerusform>{fields} and %Ln more</numerusform>
            <numerusform>{fields} and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PageLoadWindow</name>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message numerus="yes">
        <source>%Ln redirect(s)</source>
        <translation>
            <numerusform>%Ln redirect</numerusform>
            <numerusform>%Ln redirects</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>last connection closed after %Ln ms</source>
        <translation>
            <numerusform>last connection closed after %Ln ms</numerusform>
            <numerusform>last connection closed after %Ln ms</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln of high priority</source>
        <translation>
            <numerusform>%Ln of high priority</numerusform>
            <numerusform>%Ln of high priority</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln issue(s)</source>
        <translation>
            <numerusform>%Ln issue</numerusform>
            <numerusform>%Ln issues</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln unchanged</source>
        <translation>
            <numerusform>%Ln unchanged</numerusform>
            <numerusform>%Ln unchanged</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProjectCommands</name>
    <message numerus="yes">
        <source>Resume will fetch %Ln URL(s) again.</source>
        <translation>
            <numerusform>Resume will fetch %Ln URL again.</numerusform>
            <numerusform>Resume will fetch %Ln URLs again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProjectRow</name>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln URL</numerusform>
            <numerusform>%Ln URLs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln URL(s)</source>
        <translation>
            <numerusform>{done} of %Ln URL</numerusform>
            <numerusform>{done} of %Ln URLs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RedirectDialog</name>
    <message numerus="yes">
        <source>%Ln pair(s)</source>
        <translation>
            <numerusform>%Ln pair</numerusform>
            <numerusform>%Ln pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>(%Ln more like it)</source>
        <translation>
            <numerusform>(%Ln more like it)</numerusform>
            <numerusform>(%Ln more like it)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RenderedPage</name>
    <message numerus="yes">
        <source>%Ln by JavaScript</source>
        <translation>
            <numerusform>%Ln by JavaScript</numerusform>
            <numerusform>%Ln by JavaScript</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln removed</source>
        <translation>
            <numerusform>%Ln removed</numerusform>
            <numerusform>%Ln removed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RenderedPageView</name>
    <message numerus="yes">
        <source>%Ln request(s)</source>
        <translation>
            <numerusform>%Ln request</numerusform>
            <numerusform>%Ln requests</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked</source>
        <translation>
            <numerusform>%Ln blocked</numerusform>
            <numerusform>%Ln blocked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed</source>
        <translation>
            <numerusform>%Ln failed</numerusform>
            <numerusform>%Ln failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln warning</numerusform>
            <numerusform>%Ln warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RootField</name>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln URL</numerusform>
            <numerusform>%Ln URLs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) left out</source>
        <translation>
            <numerusform>%Ln line left out</numerusform>
            <numerusform>%Ln lines left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Rules</name>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln URL</numerusform>
            <numerusform>%Ln URLs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SegmentChoice</name>
    <message numerus="yes">
        <source>%Ln segment(s)</source>
        <translation>
            <numerusform>%Ln segment</numerusform>
            <numerusform>%Ln segments</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SegmentDialog</name>
    <message numerus="yes">
        <source>%Ln URL(s) of this crawl meet the condition.</source>
        <translation>
            <numerusform>%Ln URL of this crawl meets the condition.</numerusform>
            <numerusform>%Ln URLs of this crawl meet the condition.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SnippetView</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln character</numerusform>
            <numerusform>%Ln characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Export %Ln edited page(s)…</source>
        <translation>
            <numerusform>Export %Ln edited page…</numerusform>
            <numerusform>Export %Ln edited pages…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SqlWindow</name>
    <message numerus="yes">
        <source>%Ln row(s) saved to {path}</source>
        <translation>
            <numerusform>%Ln row saved to {path}</numerusform>
            <numerusform>%Ln rows saved to {path}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %Ln rows, in {time}; export for all.</source>
        <translation>
            <numerusform>The first %Ln row, in {time}; export for all.</numerusform>
            <numerusform>The first %Ln rows, in {time}; export for all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) in {time}</source>
        <translation>
            <numerusform>%Ln row in {time}</numerusform>
            <numerusform>%Ln rows in {time}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StartSettings</name>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln more</numerusform>
            <numerusform>%Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln setting(s) differ from the defaults: {names}.</source>
        <translation>
            <numerusform>%Ln setting differs from the defaults: {names}.</numerusform>
            <numerusform>%Ln settings differ from the defaults: {names}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StructuredData</name>
    <message numerus="yes">
        <source>%Ln item(s)</source>
        <translation>
            <numerusform>%Ln item</numerusform>
            <numerusform>%Ln items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln warning</numerusform>
            <numerusform>%Ln warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TableSummary</name>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>%Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %Ln row(s)</source>
        <translation>
            <numerusform>{shown} of %Ln row</numerusform>
            <numerusform>{shown} of %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln selected</source>
        <translation>
            <numerusform>%Ln selected</numerusform>
            <numerusform>%Ln selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tree</name>
    <message numerus="yes">
        <source>%Ln found here</source>
        <translation>
            <numerusform>%Ln found here</numerusform>
            <numerusform>%Ln found here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s); worst: {verdict}</source>
        <translation>
            <numerusform>%Ln error; worst: {verdict}</numerusform>
            <numerusform>%Ln errors; worst: {verdict}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>folder, %Ln URL(s)</source>
        <translation>
            <numerusform>folder, %Ln URL</numerusform>
            <numerusform>folder, %Ln URLs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TreePanel</name>
    <message numerus="yes">
        <source>%Ln level(s)</source>
        <translation>
            <numerusform>%Ln level</numerusform>
            <numerusform>%Ln levels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UrlListDialog</name>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln URL</numerusform>
            <numerusform>%Ln URLs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln duplicate(s)</source>
        <translation>
            <numerusform>%Ln duplicate</numerusform>
            <numerusform>%Ln duplicates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln invalid line(s): {numbers}</source>
        <translation>
            <numerusform>%Ln invalid line: {numbers}</numerusform>
            <numerusform>%Ln invalid lines: {numbers}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UrlSummary</name>
    <message numerus="yes">
        <source>from %Ln page(s)</source>
        <translation>
            <numerusform>from %Ln page</numerusform>
            <numerusform>from %Ln pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln other reference(s)</source>
        <translation>
            <numerusform>and %Ln other reference</numerusform>
            <numerusform>and %Ln other references</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln character</numerusform>
            <numerusform>%Ln characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} and %Ln more</source>
        <translation>
            <numerusform>{names} and %Ln more</numerusform>
            <numerusform>{names} and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ViolationTree</name>
    <message numerus="yes">
        <source>%Ln element(s)</source>
        <translation>
            <numerusform>%Ln element</numerusform>
            <numerusform>%Ln elements</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln more</numerusform>
            <numerusform>%Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>{host} and %Ln more</source>
        <translation>
            <numerusform>{host} and %Ln more</numerusform>
            <numerusform>{host} and %Ln more</numerusform>
        </translation>
    </message>
</context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>About Gossamer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An open desktop website crawler.
MIT License. Icons: Lucide (ISC). Qt and PySide6: LGPL.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Bar</name>
    <message>
        <source>Progress of the crawl</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Column</name>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heading (h1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inlinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unique inlinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outlinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Canonical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last modified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Anchor text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fragment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of that page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandBar</name>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands that fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No command has this name.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Crawl</name>
    <message>
        <source>The keyring remembered nothing for {sites}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keyring has forgotten what it had for {sites}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CrawlActs</name>
    <message>
        <source>Crawl again with all below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crawl again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel with all below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too many rows: at most %1 at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is no folder of the site, but all of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excluded from now on: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DetailsPanel</name>
    <message>
        <source>Summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inlinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outlinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirect chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cookies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links to the selected address appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links on the selected page appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The redirects through the selected address appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The headers of the server&apos;s answer appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cookies that the server&apos;s answer sets appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing links here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no links on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It neither redirects nor is it redirected to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer came, so there are no headers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer sets no cookies.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DiscoveryPanel</name>
    <message>
        <source>Discovery tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only what was found here in the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each page appears here, below the page it was found on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No page yet.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Display</name>
    <message>
        <source>%1%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExportChoices</name>
    <message>
        <source>What to export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delimiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark as UTF-8 for Excel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of the last change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions in other languages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where sitemaps will be served</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table exactly as it is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Semicolon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vertical bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects, one row for each chain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images, style sheets and other files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Addresses of other sites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All addresses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sitemaps compared with links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report with charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sitemap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tab-separated values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON Lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XML sitemap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XML sitemap, compressed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HTML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages with noindex</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages with another canonical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocked by robots.txt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that are no pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other hosts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The root of the site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fo&amp;rmat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delimiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Served &amp;at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag a column, or press Alt with an arrow, to move it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a file to write to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a column at least.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report is in {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) are in {name}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) are in {files} files; {name} is their index.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more were left out by the rules.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{name} exists already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of about {all} rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One page to send, to print or to keep: answers by status, depths and response times as charts, errors with what links to them, redirect chains, the slowest and the largest pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File to write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExportPreview</name>
    <message>
        <source>Preview of the export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first {shown} of about {all} rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are all rows.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Facet</name>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Response time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not asked yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Broken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused to robots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not linked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FacetMenu</name>
    <message>
        <source>Counting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to choose from</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FaultDialog</name>
    <message>
        <source>Unexpected error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something unexpected happened in Gossamer. What your crawl has found is safe in its project file, and you can go on working.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log in {folder} has the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FilledTable</name>
    <message>
        <source>Columns…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FilterChips</name>
    <message>
        <source>Clear all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change this filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the filter %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the filter %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter goes to the next, Shift and Enter to the one before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the search (Escape)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FoldersPanel</name>
    <message>
        <source>Folders tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only this folder in the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folders of the website appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No folder yet.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Hints</name>
    <message>
        <source>{host} asks crawlers to stay away in its robots.txt: nothing was read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crawl in spite of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} redirects to another site, which is not part of this crawl.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crawl {target}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} turns crawlers away; people may well get in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try slowly, as a browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page is drawn by scripts, which Gossamer does not run; no link was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look in the sitemaps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page asks crawlers not to follow its links.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The certificate of {host} does not hold, so nothing was asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on all the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no host called {host}. Is the address right?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the address</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InFlightDelegate</name>
    <message>
        <source>{n} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try {n}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InFlightList</name>
    <message>
        <source>Pages being fetched; Delete cancels the selected one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is being fetched.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>InlineMessage</name>
    <message>
        <source>Close this message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LinkAction</name>
    <message>
        <source>Followed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nofollow</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LinkKind</name>
    <message>
        <source>Link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Style sheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Canonical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alternate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next or previous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Icon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Media</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meta refresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sitemap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sitemap index</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Listing</name>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of that page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln other address(es) lead here</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Cookie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this host alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Secure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Anchor text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Element</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fragment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Saving the crawl… Close again to end at once.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;New crawl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save a copy…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New crawl with t&amp;hese settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Rescue a damaged project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pause or resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause &amp;now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit &amp;address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crawl s&amp;ettings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crawl the &amp;demo site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the &amp;log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy diagnostics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Gossamer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Overview and in flight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like the s&amp;ystem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Crawl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NextCrawl</name>
    <message>
        <source>Type the address of the site first: secrets are kept by site.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <source>{host}: the crawl is finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pages}, {errors}, in {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln page(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{host}: the crawl paused by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host}: the crawl has stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found is kept; the crawl can be resumed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>Queued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirect limit reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirect to nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirect to a bad address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirect out of scope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unexpected status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page not readable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TLS error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Malformed answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Damaged answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reader crashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unexpected error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not followed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of scope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a web address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Malformed address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocked by robots.txt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beyond the redirect limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Robot test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Private address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nofollow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sitemap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sitemap, queued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To be checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>Overview of the crawl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers by status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The servers&apos; answers appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>URLs per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The speed appears here while a crawl runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages by clicks from the start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Response times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Percentiles of the response times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Content types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slowest pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hosts appear here while they are asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Response times in seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened most</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OverviewMarks</name>
    <message>
        <source>2xx OK</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3xx Redirect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4xx Client error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5xx Server error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clicks: {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n}%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n}% of the answers came within this time; click for those slower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} URLs/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resting, {n} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} in flight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one request in {n} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of all that was asked</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <source>{done} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speed} pages/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln redirect(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crawling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProjectActions</name>
    <message>
        <source>Save a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A copy was saved as {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving a copy… {percent} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save what can be read as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} rescued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rescue a damaged project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was lost. The project was saved as {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {name}. Damaged: {damaged} of {pages} pages of the file. {again} addresses are fetched anew when the crawl is resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rescuing… {percent} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the project {name}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that this crawl has found is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied to the clipboard: versions, settings without secrets, the last errors.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProjectDialogs</name>
    <message>
        <source>Open project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gossamer projects (*.gossamer)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProjectRow</name>
    <message>
        <source>This project</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln address(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln address(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Being crawled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished">已暂停</translation>
    </message>
</context>
<context>
    <name>QueryTable</name>
    <message>
        <source>Sort by this column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then by this column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usual columns and order</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RecentProjects</name>
    <message>
        <source>Recent crawls</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Recollection</name>
    <message>
        <source>Your crawl of {host} is not finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your crawl of {host} is not finished ({done} of {total}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RedirectKind</name>
    <message>
        <source>Refresh header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meta refresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HTTP redirect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multiple choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permanent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See other</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RedirectMenu</name>
    <message>
        <source>Redirects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 leads to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also leading there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirected here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It neither redirects nor is it redirected to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RowActions</name>
    <message>
        <source>Copy rows for a spreadsheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) copied</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %Ln rows copied; export for all</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Section</name>
    <message>
        <source>{section}: show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sentences</name>
    <message>
        <source>Paused: {failed} of the last {seen} answers were failures, mostly with status {status}. {reason} Check the connection, or crawl more slowly, and resume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused: {failed} of the last {seen} answers were failures. Mostly: {reason} Check the connection, or crawl more slowly, and resume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no folder {folder}; make it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is a folder; add a file name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a file; choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is the project itself; choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder {folder} cannot be written; choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name!r} has no known format; end the file name with {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report is a document, no table; end its file name with .html.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file that ends with {suffix} can only hold the view {only}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file that ends with {suffix} has no columns to choose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report is about all of the crawl; leave the filter out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only a file that ends with .csv has a delimiter to choose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only a file that ends with .csv or .tsv can have a byte order mark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be replaced; if another program has it open, close it there, then export again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full; free some space, then export {name} again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason}); choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no column {name!r} in {sheet}; there are {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sitemap was read in this crawl; crawl with --use-sitemaps first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A header lacks its colon; write headers as &apos;Name: value&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The crawl stopped because of an error in Gossamer itself; what it had found is safe: press Resume to go on, and see the log for details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The processes that read pages end as soon as they start; see the log, and make room in memory or reinstall Gossamer. What was found is safe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A helper process ended while starting (exit code {code}); see the log, and reinstall Gossamer if it stays so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A helper process did not start in time; try again on a quieter machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A helper process cannot be started ({reason}); close other programs and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process {pid} on {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process {pid} on {host}, since {since}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting to be fetched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A page, fetched and read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file that is not a web page; its address was checked, its content not kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects to another address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects on, but the redirect limit is reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects without saying where to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects to something that is not a web address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects to an address outside this crawl.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server says this address does not work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server failed while answering.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server answered with a status that makes no sense here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page came, but reading it failed; see the log for details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked: the address works. Its content was not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server shows a test for robots instead of the page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The host name could not be found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refused the connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server could not be reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server closed the connection before it had answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A secure connection could not be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server did not answer in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer came too slowly and was given up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s answer does not follow the HTTP standard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer is compressed, and the compressed data is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The process that read this page ended, more than once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something unforeseen went wrong here; see the log for details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only recorded: links of this kind are not followed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outside this crawl: another host.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out by an exclude pattern.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: no include pattern matches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: deeper than the depth limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a web address (http or https).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a well-formed address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: the address is longer than the limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The site&apos;s robots.txt asks crawlers not to fetch this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not fetched: it lies beyond the redirect limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The host name leads into a private network; not asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only linked with nofollow, which asks crawlers not to follow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: the site seems to make up addresses of this kind without end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled by you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no sitemap at this usual place for one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting to be checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sitemap, waiting to be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the proxy as &apos;http://host:port&apos;, or with https, socks5, socks5h, socks4 or socks4a; a name and password as &apos;http://name:password@host:port&apos;, with %40 for @.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A SOCKS4 proxy knows no passwords; leave it out, or use socks5 or socks5h.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A SOCKS proxy takes names and passwords of up to 255 ASCII characters; get another one for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{some}, {next}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{some} and {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A cookie lacks its name or its &apos;=&apos;; write cookies as &apos;name=value&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A cookie has a semicolon or a control character; remove it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A header cannot be sent as it is; write it as &apos;Name: value&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A user name cannot have a colon; correct it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the password of {user}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cookie {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{secrets} for {origin}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type the address of a website to crawl.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} must be between {low:g} and {high:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pattern {pattern!r} is not a regular expression: {why} at position {pos}; correct it or leave it out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind!r} is not a kind of link; the kinds are {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name!r} is not a header name; write headers as &apos;Name: value&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value of the header {name!r} has a control character; remove it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it decides which URLs belong to the crawl, and that was decided for many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pages that were read already were read in the other way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting} cannot change once a crawl has begun: {why}; begin a new crawl, for example with &apos;gossamer crawl --settings FILE&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The crawl stopped because its process ended; what it had found is safe. Press Resume to go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause the crawl before you change its settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start or resume the crawl first: nothing is queued for it now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This crawl needs {secrets}: no project file holds that. Give it in the settings of the window, or with --auth, --cookie or --header.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The demo site could not be started; try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system&apos;s keyring cannot keep the password: there is none, or it is locked; it will be asked for again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system&apos;s keyring cannot be opened: there is none, or it is locked; unlock it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder {folder} for projects cannot be made ({reason}); name a file with -o.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The crawl starts at {sites} sites, and a password, cookie or secret header is for one of them: name it, as in --auth {origin}=USER, alike for --cookie and --header; or crawl that site by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was made by a newer Gossamer; update Gossamer to use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why}; see docs/settings.md.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {reason}; name a settings file or a project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no settings file: it is not UTF-8 text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no settings file: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is there already; choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be deleted ({reason}); close it in other programs, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is damaged; use a copy of it, or save what can be read of it with &apos;gossamer rescue FILE -o NEW&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk with {path} is full; free some space, then go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another program holds {path}; close it there, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written; check its permissions or copy it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be opened; check its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be opened; check its permissions and its folder&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read or written; check its disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot hold a text this long; crawl again with a lower cap.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was made by a newer Gossamer; update Gossamer to open it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was made by an older Gossamer; &apos;gossamer info&apos; brings it up to date.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has an unknown version ({found}); crawl again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is a folder, not a project file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no file; choose a .gossamer file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no project file {path}; check the path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}); check its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not a Gossamer project; choose a .gossamer file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was altered by another program; use a copy from before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was altered by another program, which added the {kind} {name!r}; remove it there, or use a copy from before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder of {path} cannot be written and the project was not closed; copy it together with {log} to another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings of this project cannot be read; crawl again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is being crawled by another Gossamer ({holder}); stop that crawl first. If it has ended, delete {lock}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is being crawled by another Gossamer ({holder}); stop that crawl first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder of {path} cannot be written; check its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be brought up to date ({reason}); copy it to another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another file has taken the place of {path}; put it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not where it was; put it back, or connect its disk again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} is not a folder; choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}); check its disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of a Gossamer project can be read in {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings in {path} cannot be read; crawl again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings in {path} cannot be used: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This expression takes too long; write it without a repetition inside another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An expression has at most {most} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not a regular expression: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type the address of a website, such as https://example.com.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type one address at a time: this text has more than one line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only http and https addresses can be crawled, not {scheme}: addresses; type one such as https://example.com.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} has no host; type a whole address, such as https://example.com/page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} has no host; type an address such as https://example.com.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The port in {text} must be a number from 0 to 65535; correct it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} is not a web address: its host {host} cannot be one; type an address such as https://example.com.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pattern {pattern} is not a regular expression: {why}; correct it or leave it out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pattern {pattern} could take for ever on some addresses: it repeats something that can match the same text in several ways, such as (a+)+; write it without a repetition inside the repetition.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Default: {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{setting}: back to the default</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Crawl settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings of {name} are shown; save to use them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be written: {reason}. Choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings are in {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Polite: slowly, for other people&apos;s sites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fast: on my own server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links only: no images, scripts and styles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings (*.toml);;Projects (*.gossamer)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These settings are for the next crawl. Workers can be changed at any time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget what is remembered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes what the system&apos;s keyring has for this site out of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent to the addresses that the crawl starts from alone, and kept in no file. Secret headers, such as Authorization, are typed with the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The crawl needs {what}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsForm</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sitemaps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Access</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages fetched at the same time. Can be changed at any time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects followed in a row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clicks from the start page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then the crawl stops.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Similar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Addresses of one kind that only lead to each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When a failure may pass.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds for one answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of a larger page only the beginning is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links of a page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a page links to beyond them is left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longer addresses are listed, not fetched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Requests to one host.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As fast as it answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages fetched at the same time from one host.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause when nearly everything fails</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the host itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All hosts of the domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether subdomains belong to the crawl.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Include</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regular expressions, one on each line; empty for all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regular expressions, one on each line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch only the addresses given, follow no links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What these lead to is fetched and read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What these lead to is only asked whether it is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow links in spite of nofollow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check links that lead to other hosts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Their pace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checks of one other host.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the sitemaps of the site too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More sitemaps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Addresses of sitemaps, one on each line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>User agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or a name from the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Languages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like &apos;de, en;q=0.5&apos;; empty sends none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name: value, one on each line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For every request.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the cookies that servers set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Obey robots.txt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on when a certificate does not hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>User</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Basic authentication.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cookies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name=value, one on each line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remember in the system&apos;s keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>selectolax (fast)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beautiful Soup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read pages in parallel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One per core</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads the HTML.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>Speed over the last minute</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crawl the demo site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See every page and every redirect of a website.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redirects</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SummaryView</name>
    <message>
        <source>Summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select an address to see what is known about it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TableBar</name>
    <message numerus="yes">
        <source>%Ln value(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>External</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which rows to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Narrow the rows by status, type, depth and more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export these rows (Ctrl+E)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export these rows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TableModel</name>
    <message>
        <source>sorted downwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sorted upwards</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TablePanel</name>
    <message>
        <source>Links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Addresses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every address of the website appears here as it is found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing here matches the filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No address yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages appear here once they have been fetched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No redirects so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No errors so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No links to other sites so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No images, style sheets or other files so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was skipped so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links appear here once pages have been read.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TableSummary</name>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln row(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>There are more: filter to see them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln selected</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 on average</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Telling</name>
    <message>
        <source>This project is being crawled elsewhere ({holder}): read-only here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TextFilter</name>
    <message>
        <source>Filter by text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only what has this text in its address or title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text is a regular expression (Alt+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of the next crawl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start no new page; press again to stop those in flight too (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin a new crawl (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on with this crawl (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End this crawl; what is found is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redirects</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tree</name>
    <message numerus="yes">
        <source>%Ln found here</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s); the worst: %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>folder, %Ln URL(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TreePanel</name>
    <message>
        <source>Find in tree…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expand</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln level(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UrlActions</name>
    <message>
        <source>Copy address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what links here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the redirect</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UrlField</name>
    <message>
        <source>Address of the website to crawl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of a website, like example.com</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UrlSummary</name>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Technical detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redirects to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of redirect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heading (h1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Canonical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Robots meta</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>from %Ln page(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>First found on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inlinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outlinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last modified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 transferred</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to the first byte</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>Not asked yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leads to another address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Broken: nobody gets anything here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused: the server turns crawlers away; people may well get in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not certain: it may work later, or for others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not asked</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Workspace</name>
    <message>
        <source>Discovery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In flight</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>

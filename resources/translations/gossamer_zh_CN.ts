<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name></name>
    <message>
        <source>Workers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages fetched at the same time.</source>
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
        <source>Tries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When a failure may pass.</source>
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
        <source>No limit</source>
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
        <source>Per host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages fetched at the same time from one host.</source>
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
        <source>Follow links in spite of nofollow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch only the addresses given, follow no links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the sitemaps of the site too</source>
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
        <source> per second</source>
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
        <source>none</source>
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
        <source>Remember in the system&apos;s keyring</source>
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
        <source>As fast as it answers</source>
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
        <source>as fast as it answers</source>
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
        <source>Proxy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For every request.</source>
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
    <message>
        <source>A header lacks its colon; write headers as &apos;Name: value&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
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
</context>
<context>
    <name>DiscoveryPanel</name>
    <message>
        <source>Discovery tree</source>
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
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
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
        <source>Sitemap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report with charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
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
        <source>Cancelled; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} rows are in {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
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
        <source>Export to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File to write</source>
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
        <source>Sort by this column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns…</source>
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
    <name>LazyTreeModel</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
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
    <name>MainWindow</name>
    <message>
        <source>Saving the crawl… Close again to end at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project is being crawled elsewhere ({holder}): read-only here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
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
        <source>&amp;Help</source>
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
        <source>Nothing yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clicks from the start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened most</source>
        <translation type="unfinished"></translation>
    </message>
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
    <message>
        <source>1 redirect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} redirects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} errors</source>
        <translation type="unfinished"></translation>
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
    <name>SettingsDialog</name>
    <message>
        <source>Crawl settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Access</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These settings are for the next crawl. Workers can be changed at any time.</source>
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
        <source>Recent crawls</source>
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
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
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
        <source>Files</source>
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
        <source>Skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which addresses to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only what has this text in its address or title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter addresses and titles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TablePanel</name>
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
        <source>No images, style sheets or other files so far.</source>
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
        <source>Nothing was skipped so far.</source>
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
    <message>
        <source>%1 found here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>folder, %1 URLs, %2 errors</source>
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
<context>
    <name>self._view</name>
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
    <name>settings_form</name>
    <message>
        <source>Sent to the addresses that the crawl starts from alone, and kept in no file. Secret headers, such as Authorization, are typed with the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The crawl needs {what}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default: {value}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>

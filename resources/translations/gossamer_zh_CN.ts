<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Gossamer</source>
        <translation>关于 Gossamer</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>An open desktop website crawler.
MIT License. Qt and PySide6: LGPL.</source>
        <translation>开源的桌面网站爬虫。
MIT 许可证。Qt 与 PySide6：LGPL。</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open folder: {name}</source>
        <translation>打开文件夹：{name}</translation>
    </message>
</context>
<context>
    <name>AccessController</name>
    <message numerus="yes">
        <source>{sentence} So do %Ln other host(s).</source>
        <translation>
            <numerusform>{sentence}另有 %Ln 个主机也是如此。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>AccessDialog</name>
    <message>
        <source>Crawlers and robots.txt</source>
        <translation>爬虫与 robots.txt</translation>
    </message>
    <message>
        <source>&amp;Host:</source>
        <translation>主机(&amp;H)：</translation>
    </message>
    <message>
        <source>Crawlers</source>
        <translation>爬虫</translation>
    </message>
    <message>
        <source>robots.txt tester</source>
        <translation>robots.txt 测试</translation>
    </message>
    <message>
        <source>Table of crawlers as of {date}.</source>
        <translation>爬虫列表截至 {date}。</translation>
    </message>
    <message>
        <source>The robots.txt of this host was not requested.</source>
        <translation>未请求此主机的 robots.txt。</translation>
    </message>
    <message>
        <source>&amp;URL:</source>
        <translation>网址(&amp;U)：</translation>
    </message>
    <message>
        <source>Links of llms.txt</source>
        <translation>llms.txt 的链接</translation>
    </message>
    <message>
        <source>No robots.txt was requested.</source>
        <translation>没有请求过任何 robots.txt。</translation>
    </message>
    <message>
        <source>No links.</source>
        <translation>没有链接。</translation>
    </message>
    <message>
        <source>The llms.txt of this host was not requested.</source>
        <translation>未请求此主机的 llms.txt。</translation>
    </message>
    <message>
        <source>This host has no llms.txt ({outcome}).</source>
        <translation>此主机没有 llms.txt（{outcome}）。</translation>
    </message>
    <message>
        <source>{title} · {size} · {links} links, {broken} broken, {hidden} not indexable</source>
        <translation>{title} · {size} · {links} 个链接，{broken} 个失效，{hidden} 个不可索引</translation>
    </message>
    <message>
        <source>It follows the proposed form.</source>
        <translation>符合建议的格式。</translation>
    </message>
</context>
<context>
    <name>AccessList</name>
    <message>
        <source>may not fetch</source>
        <translation>不可获取</translation>
    </message>
    <message>
        <source>may use</source>
        <translation>可使用</translation>
    </message>
    <message>
        <source>may not use</source>
        <translation>不可使用</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>disallowed</source>
        <translation>禁止</translation>
    </message>
    <message>
        <source>not crawled</source>
        <translation>未抓取</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>失效</translation>
    </message>
    <message>
        <source>not indexable</source>
        <translation>不可索引</translation>
    </message>
    <message>
        <source>good</source>
        <translation>正常</translation>
    </message>
</context>
<context>
    <name>ArchiveAuditController</name>
    <message>
        <source>A project is being audited again already. Wait for it, or cancel that.</source>
        <translation>已有一个项目正在重新审计。请等待其完成，或取消它。</translation>
    </message>
    <message>
        <source>Reading the archive of {name}…</source>
        <translation>正在读取 {name} 的存档…</translation>
    </message>
    <message>
        <source>Auditing {name} again: {stage}, {percent} %</source>
        <translation>正在重新审计 {name}：{stage}，{percent}%</translation>
    </message>
    <message>
        <source>{name} was audited again from its archive.</source>
        <translation>已根据存档重新审计 {name}。</translation>
    </message>
    <message>
        <source>Pages and files that the archive does not have, or has damaged, or that could not be rendered from it, have the facts of the crawl: {count}.</source>
        <translation>存档没有或已损坏的页面和文件，或无法根据存档渲染的页面，保留抓取时的数据：{count}。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>AuditProgressLine</name>
    <message>
        <source>Audit progress</source>
        <translation>审计进度</translation>
    </message>
    <message>
        <source>Cancel the audit</source>
        <translation>取消审计</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>Audit: {stage}</source>
        <translation>审计：{stage}</translation>
    </message>
</context>
<context>
    <name>BrokenLinksPane</name>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Broken now, or no longer</source>
        <translation>现在失效或不再失效</translation>
    </message>
    <message>
        <source>Broken now</source>
        <translation>现在失效</translation>
    </message>
    <message>
        <source>No longer broken</source>
        <translation>不再失效</translation>
    </message>
    <message>
        <source>Filter by address</source>
        <translation>按网址筛选</translation>
    </message>
    <message>
        <source>No link passes this filter.</source>
        <translation>没有符合此筛选条件的链接。</translation>
    </message>
    <message>
        <source>No link broke, and none was fixed.</source>
        <translation>没有链接失效，也没有链接被修复。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln link(s)</source>
        <translation>
            <numerusform>%Ln 个链接</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BrokenLinksTable</name>
    <message>
        <source>Broken links</source>
        <translation>失效链接</translation>
    </message>
</context>
<context>
    <name>BrowserStatus</name>
    <message>
        <source>Install…</source>
        <translation>安装…</translation>
    </message>
    <message>
        <source>Install now</source>
        <translation>立即安装</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Pages are rendered with {browser}.</source>
        <translation>使用 {browser} 渲染页面。</translation>
    </message>
    <message>
        <source>This command installs it: {command}</source>
        <translation>安装它的命令：{command}</translation>
    </message>
    <message>
        <source>Installing…</source>
        <translation>正在安装…</translation>
    </message>
    <message>
        <source>The package was not installed. Run this command in a terminal: {command}</source>
        <translation>未能安装该软件包。请在终端中运行此命令：{command}</translation>
    </message>
    <message>
        <source>{browser} does not report its version and may not start. Choose another browser below, or install one.</source>
        <translation>询问 {browser} 的版本时没有响应，它可能无法启动。请在下方选择其他浏览器，或安装一个。</translation>
    </message>
</context>
<context>
    <name>BulkActionMenu</name>
    <message>
        <source>This is the whole site, not a folder</source>
        <translation>这不是网站的某个目录，而是整个网站</translation>
    </message>
    <message>
        <source>Too many rows: select at most {n}</source>
        <translation>行数过多：一次最多 {n} 行</translation>
    </message>
</context>
<context>
    <name>ChainType</name>
    <message>
        <source>Loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Beyond the limit</source>
        <translation>超出上限</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Permanent</source>
        <translation>永久</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>混合</translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message>
        <source>{name} and {n} more</source>
        <translation>{name} 等 {n} 项</translation>
    </message>
    <message>
        <source>Issue</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Link to</source>
        <translation>链接到</translation>
    </message>
    <message numerus="yes">
        <source>%Ln target(s) gone</source>
        <translation>
            <numerusform>少了 %Ln 个目标</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new target(s)</source>
        <translation>
            <numerusform>新增 %Ln 个目标</numerusform>
        </translation>
    </message>
    <message>
        <source>probably moved from {url}</source>
        <translation>可能从 {url} 移来</translation>
    </message>
    <message>
        <source>{entries} and {n} more</source>
        <translation>{entries}，另有 {n} 项</translation>
    </message>
    <message>
        <source>Issues</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>ChangesPane</name>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Filter by address or value</source>
        <translation>按地址或值筛选</translation>
    </message>
    <message>
        <source>All fields and issues</source>
        <translation>所有字段和问题</translation>
    </message>
    <message>
        <source>No page passes this filter.</source>
        <translation>没有页面符合此筛选条件。</translation>
    </message>
    <message>
        <source>Nothing differs.</source>
        <translation>没有差异。</translation>
    </message>
    <message>
        <source>All changes</source>
        <translation>所有变化</translation>
    </message>
    <message>
        <source>Remove this filter</source>
        <translation>移除此筛选</translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesTable</name>
    <message>
        <source>Pages that differ</source>
        <translation>有差异的页面</translation>
    </message>
</context>
<context>
    <name>ChannelForm</name>
    <message>
        <source>&amp;Desktop notification</source>
        <translation>桌面通知(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;E-mail</source>
        <translation>电子邮件(&amp;E)</translation>
    </message>
    <message>
        <source>None: a server of this computer</source>
        <translation>无：本机的服务器</translation>
    </message>
    <message>
        <source>&amp;Webhook</source>
        <translation>调用 Webhook(&amp;W)</translation>
    </message>
    <message>
        <source>Si&amp;gned, so that the receiver can check who sent it</source>
        <translation>签名，以便接收方验证发送者(&amp;G)</translation>
    </message>
    <message>
        <source>New secret</source>
        <translation>新密钥</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>程序(&amp;P)</translation>
    </message>
    <message>
        <source>Unchanged</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Several addresses with commas between them.</source>
        <translation>多个地址之间用逗号分隔。</translation>
    </message>
    <message>
        <source>Copy it to the receiver now: it is not shown again.</source>
        <translation>请立即将其复制给接收方：之后不再显示。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>收件人</translation>
    </message>
    <message>
        <source>From</source>
        <translation>发件人</translation>
    </message>
    <message>
        <source>Mail server</source>
        <translation>邮件服务器</translation>
    </message>
    <message>
        <source>Encryption</source>
        <translation>加密</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Secret of the signature</source>
        <translation>签名密钥</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>ChartSection</name>
    <message>
        <source>{section}: show all</source>
        <translation>{section}：显示全部</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>Clipboard</name>
    <message numerus="yes">
        <source>The first %Ln rows copied; export for all</source>
        <translation>
            <numerusform>已复制前 %Ln 行；如需全部请导出</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) copied</source>
        <translation>
            <numerusform>已复制 %Ln 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClusterField</name>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>Column</name>
    <message>
        <source>Address</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Response time</source>
        <translation>响应时间</translation>
    </message>
    <message>
        <source>Status code</source>
        <translation>状态码</translation>
    </message>
    <message>
        <source>Hop</source>
        <translation>跳</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Cookie</source>
        <translation>Cookie</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域名</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Expires</source>
        <translation>过期时间</translation>
    </message>
    <message>
        <source>Secure</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Issue</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>URLs</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>% of total</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>In common</source>
        <translation>相同之处</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Heading</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Ignored for</source>
        <translation>忽略范围</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Ignored by</source>
        <translation>忽略者</translation>
    </message>
    <message>
        <source>Ignored at</source>
        <translation>忽略时间</translation>
    </message>
    <message>
        <source>Alt text</source>
        <translation>替代文本</translation>
    </message>
    <message>
        <source>Width and height</source>
        <translation>宽度和高度</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Content type</source>
        <translation>内容类型</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Occurrences</source>
        <translation>出现次数</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Crawler</source>
        <translation>爬虫</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>运营者</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Deciding line</source>
        <translation>决定行</translation>
    </message>
    <message>
        <source>Meta robots</source>
        <translation>Robots 元标签</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>节</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>修改前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>修改后</translation>
    </message>
    <message>
        <source>Deciding line before</source>
        <translation>修改前的决定行</translation>
    </message>
    <message>
        <source>Deciding line after</source>
        <translation>修改后的决定行</translation>
    </message>
    <message>
        <source>Intrinsic size</source>
        <translation>固有尺寸</translation>
    </message>
    <message>
        <source>Displayed size</source>
        <translation>显示尺寸</translation>
    </message>
    <message>
        <source>Crawled</source>
        <translation>抓取时间</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>90th percentile</source>
        <translation>第 90 百分位</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>About</source>
        <translation>相关对象</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>撰写时间</translation>
    </message>
    <message>
        <source>On page</source>
        <translation>所在页面</translation>
    </message>
    <message>
        <source>Link to</source>
        <translation>链接到</translation>
    </message>
    <message>
        <source>Probably moved to</source>
        <translation>可能已移到</translation>
    </message>
    <message>
        <source>Old address</source>
        <translation>旧网址</translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation>重定向</translation>
    </message>
    <message>
        <source>Leads to</source>
        <translation>实际指向</translation>
    </message>
    <message>
        <source>Should lead to</source>
        <translation>应指向</translation>
    </message>
    <message>
        <source>Found text</source>
        <translation>找到的文本</translation>
    </message>
</context>
<context>
    <name>ColumnPicker</name>
    <message>
        <source>Find a column</source>
        <translation>查找列</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
</context>
<context>
    <name>ColumnSet</name>
    <message>
        <source>Essentials</source>
        <translation>基本</translation>
    </message>
    <message>
        <source>SEO</source>
        <translation>SEO</translation>
    </message>
    <message>
        <source>Technical</source>
        <translation>技术</translation>
    </message>
    <message>
        <source>All columns</source>
        <translation>所有列</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>您想做什么？</translation>
    </message>
    <message>
        <source>Name of a command</source>
        <translation>命令名称</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>匹配的命令</translation>
    </message>
    <message>
        <source>No matching command.</source>
        <translation>没有这个名称的命令。</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>Compare two crawls</source>
        <translation>对比两次抓取</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Choose two crawls.</source>
        <translation>请选择两次抓取。</translation>
    </message>
    <message>
        <source>Choose two different crawls.</source>
        <translation>请选择两次不同的抓取。</translation>
    </message>
    <message>
        <source>The crawl chosen as earlier is the later one.</source>
        <translation>选为“之前”的抓取其实更晚。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Swap before and after</source>
        <translation>交换前后</translation>
    </message>
    <message>
        <source>&amp;Before</source>
        <translation>之前(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;After</source>
        <translation>之后(&amp;A)</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComparedFacts</name>
    <message>
        <source>Fact</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>In the HTML</source>
        <translation>HTML 中</translation>
    </message>
    <message>
        <source>In the rendered page</source>
        <translation>渲染后的页面中</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>HTML and rendered page</source>
        <translation>HTML 与渲染后的页面</translation>
    </message>
</context>
<context>
    <name>ComparisonExport</name>
    <message>
        <source>Export comparison</source>
        <translation>导出对比</translation>
    </message>
    <message>
        <source>{name} compared</source>
        <translation>{name} 对比</translation>
    </message>
    <message>
        <source>Excel workbook, everything</source>
        <translation>Excel 工作簿，全部内容</translation>
    </message>
    <message>
        <source>Report, everything</source>
        <translation>报告，全部内容</translation>
    </message>
    <message>
        <source>{format}, the changes</source>
        <translation>{format}，仅变化</translation>
    </message>
    <message>
        <source>Exporting… {percent} %</source>
        <translation>正在导出… {percent} %</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export cancelled. No file was written.</source>
        <translation>导出已取消，没有写入任何文件。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Saved to {name}.</source>
        <translation>已保存到 {name}。</translation>
    </message>
</context>
<context>
    <name>ComparisonFilters</name>
    <message>
        <source>Issues</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>ComparisonHead</name>
    <message>
        <source>Nothing that was compared differs.</source>
        <translation>所对比的内容没有差异。</translation>
    </message>
    <message>
        <source>No issue got worse or better.</source>
        <translation>没有问题变差或好转。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln issue(s) got worse.</source>
        <translation>
            <numerusform>%Ln 个问题变差。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln issue(s) got better.</source>
        <translation>
            <numerusform>%Ln 个问题好转。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln 个页面</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址</numerusform>
        </translation>
    </message>
    <message>
        <source>Run audit and compare again</source>
        <translation>运行审计并重新对比</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message numerus="yes">
        <source>%Ln new URL(s)</source>
        <translation>
            <numerusform>新增 %Ln 个网址</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln missing URL(s)</source>
        <translation>
            <numerusform>消失 %Ln 个网址</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln changed URL(s)</source>
        <translation>
            <numerusform>变化 %Ln 个网址</numerusform>
        </translation>
    </message>
    <message>
        <source>{urls}, of these {pages}</source>
        <translation>{urls}，其中 {pages}</translation>
    </message>
</context>
<context>
    <name>ComparisonWindow</name>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Only what changed</source>
        <translation>仅显示有变化的</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Comparison of {site}: {before} and {after}</source>
        <translation>{site} 的对比：{before} 和 {after}</translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation>重定向</translation>
    </message>
    <message>
        <source>No filter or issue has changed.</source>
        <translation>没有筛选项或问题发生变化。</translation>
    </message>
    <message>
        <source>No filter or issue is called so.</source>
        <translation>没有这个名称的筛选项或问题。</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>按名称筛选</translation>
    </message>
    <message>
        <source>Click a number to see its pages.</source>
        <translation>点击数字查看对应的页面。</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Structure</source>
        <translation>结构</translation>
    </message>
    <message>
        <source>Broken links</source>
        <translation>失效链接</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>已移动</translation>
    </message>
    <message>
        <source>Robots.txt and sitemaps</source>
        <translation>robots.txt 和站点地图</translation>
    </message>
    <message>
        <source>Map and compare again</source>
        <translation>映射并重新对比</translation>
    </message>
    <message>
        <source>{n} pages have probably moved from {before} to {after}. Map these addresses to see what has changed on them.</source>
        <translation>有 {n} 个页面可能已从 {before} 移到 {after}。映射这些网址后即可查看它们的变化。</translation>
    </message>
</context>
<context>
    <name>ConditionForm</name>
    <message>
        <source>contains</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>does not contain</source>
        <translation>不包含</translation>
    </message>
    <message>
        <source>starts with</source>
        <translation>开头是</translation>
    </message>
    <message>
        <source>does not start with</source>
        <translation>开头不是</translation>
    </message>
    <message>
        <source>ends with</source>
        <translation>结尾是</translation>
    </message>
    <message>
        <source>does not end with</source>
        <translation>结尾不是</translation>
    </message>
    <message>
        <source>is</source>
        <translation>等于</translation>
    </message>
    <message>
        <source>is not</source>
        <translation>不等于</translation>
    </message>
    <message>
        <source>less than</source>
        <translation>小于</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>不大于</translation>
    </message>
    <message>
        <source>more than</source>
        <translation>大于</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>不小于</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>is not empty</source>
        <translation>不为空</translation>
    </message>
    <message>
        <source>All of these hold</source>
        <translation>满足以下全部条件</translation>
    </message>
    <message>
        <source>Any of these holds</source>
        <translation>满足以下任一条件</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Add condition</source>
        <translation>添加条件</translation>
    </message>
</context>
<context>
    <name>ConditionLine</name>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较方式</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Remove this condition</source>
        <translation>移除此条件</translation>
    </message>
</context>
<context>
    <name>ConsoleMessages</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>控制台</translation>
    </message>
    <message>
        <source>No errors and no warnings.</source>
        <translation>没有错误，也没有警告。</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Unexpected error</source>
        <translation>意外错误</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详细信息</translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Gossamer ran into an unexpected error. Your crawl is safe in its project file, and you can keep working.</source>
        <translation>Gossamer 发生了意外情况。抓取到的内容已安全保存在项目文件中，您可以继续工作。</translation>
    </message>
    <message>
        <source>See the log in {folder} for details.</source>
        <translation>详细信息请见 {folder} 中的日志。</translation>
    </message>
</context>
<context>
    <name>CrawlController</name>
    <message>
        <source>No credentials are stored for {sites}.</source>
        <translation>没有为 {sites} 保存的凭据。</translation>
    </message>
    <message>
        <source>Removed the stored credentials for {sites}.</source>
        <translation>已移除为 {sites} 保存的凭据。</translation>
    </message>
</context>
<context>
    <name>CrawlEndNotifications</name>
    <message>
        <source>{pages}, {errors}, in {time}</source>
        <translation>{pages}，{errors}，用时 {time}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln 个页面</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln 个错误</numerusform>
        </translation>
    </message>
    <message>
        <source>{host}: crawl finished</source>
        <translation>{host}：抓取已完成</translation>
    </message>
    <message>
        <source>{host}: crawl paused</source>
        <translation>{host}：抓取已自动暂停</translation>
    </message>
    <message>
        <source>{host}: crawl stopped</source>
        <translation>{host}：抓取已停止</translation>
    </message>
    <message>
        <source>The results are saved, and you can resume the crawl.</source>
        <translation>已抓取的内容均已保留，可以继续抓取。</translation>
    </message>
    <message>
        <source>{host}: crawl failed</source>
        <translation>{host}：抓取失败</translation>
    </message>
</context>
<context>
    <name>CrawlHistory</name>
    <message>
        <source>Open in this window</source>
        <translation>在此窗口中打开</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Crawling</source>
        <translation>正在抓取</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>not audited</source>
        <translation>未审计</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>90th percentile</source>
        <translation>第 90 百分位</translation>
    </message>
    <message>
        <source>All issues of {tab}</source>
        <translation>{tab} 的所有问题</translation>
    </message>
    <message>
        <source>File is missing: {name}</source>
        <translation>文件缺失：{name}</translation>
    </message>
    <message>
        <source>Folder is missing: {name}</source>
        <translation>文件夹缺失：{name}</translation>
    </message>
    <message>
        <source>This crawl does not know {url}.</source>
        <translation>此次抓取中没有 {url}。</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>CrawlPresenter</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Rescue…</source>
        <translation>抢救…</translation>
    </message>
    <message>
        <source>Put all back</source>
        <translation>全部放回队列</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>This project is being crawled by another process ({holder}). It is read-only here.</source>
        <translation>此项目正在别处抓取（{holder}）：此处只读。</translation>
    </message>
    <message>
        <source>{folder} is now excluded from this crawl.</source>
        <translation>此次抓取从现在起不再包括 {folder}。</translation>
    </message>
    <message>
        <source>The other process has stopped crawling this project. You can resume it here.</source>
        <translation>此项目已不再被别处抓取：可以在这里继续。</translation>
    </message>
    <message>
        <source>The crawl is waiting and will resume automatically.</source>
        <translation>抓取会等待，之后自动继续。</translation>
    </message>
    <message>
        <source>Log in again…</source>
        <translation>重新登录…</translation>
    </message>
    <message>
        <source>{path} is damaged. Use a backup, or rescue what is readable into a new project.</source>
        <translation>{path} 已损坏。请使用其副本，或将其中可读的内容保存到新项目。</translation>
    </message>
    <message numerus="yes">
        <source>Finished, except for %Ln URL(s) skipped for now.</source>
        <translation>
            <numerusform>除您暂时跳过的 %Ln 个网址外，抓取已完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>Back in the queue. Press Resume to fetch everything queued.</source>
        <translation>已重新排队。点击“继续”后，会抓取这些及队列中的其他网址。</translation>
    </message>
    <message numerus="yes">
        <source>Cancelled: %Ln URL(s).</source>
        <translation>
            <numerusform>已取消：%Ln 个网址。</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled: {folder} and everything below it.</source>
        <translation>已取消：{folder} 及其下全部网址。</translation>
    </message>
    <message>
        <source>Cancelled: the selected URL and everything below it.</source>
        <translation>已取消：所选网址及其下全部网址。</translation>
    </message>
</context>
<context>
    <name>CrawlProgressBar</name>
    <message>
        <source>Crawl progress</source>
        <translation>抓取进度</translation>
    </message>
</context>
<context>
    <name>CrawlTable</name>
    <message>
        <source>Crawls of this site</source>
        <translation>此网站的各次抓取</translation>
    </message>
    <message>
        <source>No crawl has ended yet.</source>
        <translation>还没有已结束的抓取。</translation>
    </message>
</context>
<context>
    <name>CrawlsPane</name>
    <message>
        <source>&amp;Find file…</source>
        <translation>查找文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Fo&amp;rget crawl</source>
        <translation>移除记录(&amp;R)</translation>
    </message>
    <message>
        <source>Add &amp;note…</source>
        <translation>添加备注(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Open crawl</source>
        <translation>打开抓取(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>Its project is not there: only its figures are kept.</source>
        <translation>其项目文件不在：只保留了数据。</translation>
    </message>
    <message>
        <source>This is the first crawl of the site.</source>
        <translation>这是此网站的首次抓取。</translation>
    </message>
    <message>
        <source>There is no project of an earlier crawl to compare with.</source>
        <translation>没有可供对比的更早抓取的项目。</translation>
    </message>
    <message>
        <source>Select a crawl to compare it with the one before, or any two crawls.</source>
        <translation>选择一次抓取以与前一次比较，或选择任意两次抓取。</translation>
    </message>
    <message>
        <source>{file} does not exist: it was moved, renamed or deleted. Its figures are kept.</source>
        <translation>{file} 不在原处：已被移动、重命名或删除。其数据仍然保留。</translation>
    </message>
    <message>
        <source>The folder {folder} does not exist: connect its disk, or find the file elsewhere.</source>
        <translation>文件夹 {folder} 不在：请连接其所在磁盘，或在别处查找该文件。</translation>
    </message>
    <message>
        <source>This project was removed; its figures are kept.</source>
        <translation>此项目已删除；其数据仍然保留。</translation>
    </message>
    <message>
        <source>Find the project of this crawl</source>
        <translation>查找此次抓取的项目</translation>
    </message>
    <message>
        <source>Projects (*.gossamer)</source>
        <translation>项目 (*.gossamer)</translation>
    </message>
    <message>
        <source>Click to see what changed since {time}.</source>
        <translation>单击可查看自 {time} 以来的变化。</translation>
    </message>
    <message>
        <source>the crawl of {time}</source>
        <translation>{time} 的抓取</translation>
    </message>
</context>
<context>
    <name>CustomChoice</name>
    <message>
        <source>Filter by custom result</source>
        <translation>按自定义结果筛选</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>CustomDefinitions</name>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>Visible text</source>
        <translation>可见文本</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>head 元素</translation>
    </message>
    <message>
        <source>Scripts</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>contains</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>does not contain</source>
        <translation>不包含</translation>
    </message>
    <message>
        <source>CSS selector</source>
        <translation>CSS 选择器</translation>
    </message>
    <message>
        <source>XPath</source>
        <translation>XPath 表达式</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Inner HTML</source>
        <translation>内部 HTML</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Number of matches</source>
        <translation>匹配数</translation>
    </message>
    <message>
        <source>{name}: timed out or failed</source>
        <translation>{name}：超时或失败</translation>
    </message>
    <message>
        <source>{name}: contains</source>
        <translation>{name}：包含</translation>
    </message>
    <message>
        <source>{name}: does not contain</source>
        <translation>{name}：不包含</translation>
    </message>
    <message>
        <source>{name}: extracted</source>
        <translation>{name}：已提取</translation>
    </message>
    <message>
        <source>{name}: nothing extracted</source>
        <translation>{name}：未提取到内容</translation>
    </message>
    <message>
        <source>{location}: {condition} {pattern}</source>
        <translation>在 {location} 中{condition}：{pattern}</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>All matches</source>
        <translation>所有匹配</translation>
    </message>
</context>
<context>
    <name>DefinitionList</name>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Try…</source>
        <translation>试用…</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
</context>
<context>
    <name>DetailList</name>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>this host only</source>
        <translation>仅此主机</translation>
    </message>
    <message>
        <source>end of session</source>
        <translation>会话结束时</translation>
    </message>
    <message>
        <source>back to hop {n}: redirect loop</source>
        <translation>回到第 {n} 步：重定向在兜圈子</translation>
    </message>
    <message numerus="yes">
        <source>%Ln other URL(s) redirect here</source>
        <translation>
            <numerusform>另有 %Ln 个网址指向这里</numerusform>
        </translation>
    </message>
    <message>
        <source>skips a level</source>
        <translation>跳过了一级</translation>
    </message>
    <message>
        <source>no alt attribute</source>
        <translation>没有 alt 属性</translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>（空）</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>both given</source>
        <translation>均已指定</translation>
    </message>
    <message>
        <source>not visible</source>
        <translation>不可见</translation>
    </message>
    <message>
        <source>file is larger</source>
        <translation>文件偏大</translation>
    </message>
    <message>
        <source>text not stored</source>
        <translation>未保存文本</translation>
    </message>
</context>
<context>
    <name>DetailTabs</name>
    <message>
        <source>More tabs: choose which are in sight</source>
        <translation>更多选项卡：选择要显示哪些</translation>
    </message>
    <message>
        <source>More tabs</source>
        <translation>更多选项卡</translation>
    </message>
    <message numerus="yes">
        <source>%Ln other reference(s) included</source>
        <translation>
            <numerusform>另列出 %Ln 个其他引用</numerusform>
        </translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
</context>
<context>
    <name>DetailsPanel</name>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Inlinks</source>
        <translation>入链</translation>
    </message>
    <message>
        <source>Outlinks</source>
        <translation>出链</translation>
    </message>
    <message>
        <source>Redirect chain</source>
        <translation>重定向链</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>Cookies</source>
        <translation>Cookie</translation>
    </message>
    <message>
        <source>Links on the selected page appear here.</source>
        <translation>所选页面上的链接会显示在这里。</translation>
    </message>
    <message>
        <source>Links to the selected URL appear here.</source>
        <translation>指向所选网址的链接会显示在这里。</translation>
    </message>
    <message>
        <source>Redirects through the selected URL appear here.</source>
        <translation>经过所选网址的重定向会显示在这里。</translation>
    </message>
    <message>
        <source>Response headers appear here.</source>
        <translation>服务器响应的标头会显示在这里。</translation>
    </message>
    <message>
        <source>Cookies set by the response appear here.</source>
        <translation>服务器响应所设置的 Cookie 会显示在这里。</translation>
    </message>
    <message>
        <source>No inlinks.</source>
        <translation>没有链接指向这里。</translation>
    </message>
    <message>
        <source>No outlinks.</source>
        <translation>该页面上没有链接。</translation>
    </message>
    <message>
        <source>This URL does not redirect, and no URL redirects to it.</source>
        <translation>此网址不重定向，也没有网址重定向到它。</translation>
    </message>
    <message>
        <source>No response, so there are no headers.</source>
        <translation>没有收到响应，因此没有标头。</translation>
    </message>
    <message>
        <source>The response sets no cookies.</source>
        <translation>响应没有设置 Cookie。</translation>
    </message>
    <message>
        <source>Collapse the details</source>
        <translation>收起详细信息</translation>
    </message>
    <message>
        <source>Expand the details</source>
        <translation>显示详细信息</translation>
    </message>
    <message>
        <source>Search result</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>重复内容</translation>
    </message>
    <message>
        <source>Headings</source>
        <translation>标题结构</translation>
    </message>
    <message>
        <source>Pages that are like the selected one appear here.</source>
        <translation>与所选页面相同或相似的页面将显示在此处。</translation>
    </message>
    <message>
        <source>The headings of the selected page appear here.</source>
        <translation>所选页面的标题将显示在此处。</translation>
    </message>
    <message>
        <source>No duplicates found. They are looked for by the site audit.</source>
        <translation>未发现重复内容。重复内容由网站审计查找。</translation>
    </message>
    <message>
        <source>No headings.</source>
        <translation>没有标题。</translation>
    </message>
    <message>
        <source>Structured data</source>
        <translation>结构化数据</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>The images of the selected page appear here.</source>
        <translation>所选页面的图像显示在此处。</translation>
    </message>
    <message>
        <source>No images.</source>
        <translation>没有图像。</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Scripts, style sheets and other files of the selected page appear here.</source>
        <translation>所选页面的脚本、样式表和其他文件显示在此处。</translation>
    </message>
    <message>
        <source>No scripts, style sheets or other files.</source>
        <translation>没有脚本、样式表或其他文件。</translation>
    </message>
    <message>
        <source>Hreflang</source>
        <translation>语言版本（hreflang）</translation>
    </message>
    <message>
        <source>The versions of the selected page in other languages appear here.</source>
        <translation>所选页面的其他语言版本显示在此处。</translation>
    </message>
    <message>
        <source>The page names no versions in other languages.</source>
        <translation>该页面没有指定其他语言版本。</translation>
    </message>
    <message>
        <source>Spelling</source>
        <translation>拼写</translation>
    </message>
    <message>
        <source>The misspelt words of the selected page appear here.</source>
        <translation>所选页面的拼写错误会显示在这里。</translation>
    </message>
    <message>
        <source>No spelling or grammar errors. The settings say what is checked.</source>
        <translation>没有拼写或语法错误。检查的内容由设置决定。</translation>
    </message>
    <message>
        <source>Crawlers</source>
        <translation>爬虫</translation>
    </message>
    <message>
        <source>Which crawlers may fetch the selected URL appears here.</source>
        <translation>此处显示哪些爬虫可以获取所选网址。</translation>
    </message>
    <message>
        <source>The robots.txt of this host was not requested.</source>
        <translation>未请求此主机的 robots.txt。</translation>
    </message>
    <message>
        <source>Rendered page</source>
        <translation>渲染后的页面</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
</context>
<context>
    <name>DiscoveryPanel</name>
    <message>
        <source>Discovery tree</source>
        <translation>发现树</translation>
    </message>
    <message>
        <source>Pages appear here, each below the page it was first found on.</source>
        <translation>每个页面都会显示在这里，位于发现它的页面之下。</translation>
    </message>
    <message>
        <source>No pages yet.</source>
        <translation>还没有页面。</translation>
    </message>
</context>
<context>
    <name>Display</name>
    <message>
        <source>{n}%</source>
        <translation>{n}%</translation>
    </message>
    <message>
        <source>{n} ms</source>
        <translation>{n} 毫秒</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>{n} px</source>
        <translation>{n} 像素</translation>
    </message>
</context>
<context>
    <name>DockArea</name>
    <message>
        <source>Overview and in flight</source>
        <translation>概览和正在抓取</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Collapse to a strip (Ctrl+3)</source>
        <translation>收起为窄条（Ctrl+3）</translation>
    </message>
    <message>
        <source>Collapse {name}</source>
        <translation>收起{name}</translation>
    </message>
</context>
<context>
    <name>Docks</name>
    <message>
        <source>Close {panel}</source>
        <translation>关闭“{panel}”</translation>
    </message>
</context>
<context>
    <name>DropHandler</name>
    <message>
        <source>Drop one project at a time. To compare two, choose Compare… in the menu File.</source>
        <translation>一次只能拖入一个项目。要对比两个项目，请选择“文件”菜单中的“对比…”。</translation>
    </message>
</context>
<context>
    <name>DuplicateTextsView</name>
    <message>
        <source>Back to the list</source>
        <translation>返回列表</translation>
    </message>
    <message>
        <source>Only differences</source>
        <translation>仅显示差异</translation>
    </message>
    <message>
        <source>Differences of the texts</source>
        <translation>文本差异</translation>
    </message>
    <message>
        <source>Fetching both pages…</source>
        <translation>正在抓取两个页面…</translation>
    </message>
    <message>
        <source>{percent} of their phrases are the same</source>
        <translation>{percent} 的短语相同</translation>
    </message>
    <message>
        <source>the texts go on</source>
        <translation>文本未完全显示</translation>
    </message>
    <message>
        <source>The texts are the same.</source>
        <translation>两个页面的文本相同。</translation>
    </message>
    <message>
        <source>More paragraphs are not shown.</source>
        <translation>其余段落未显示。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln equal paragraph(s)</source>
        <translation>
            <numerusform>%Ln 个相同的段落</numerusform>
        </translation>
    </message>
    <message>
        <source>More lines are not shown.</source>
        <translation>其余各行不再显示。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln equal line(s)</source>
        <translation>
            <numerusform>%Ln 行相同</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DuplicatesTab</name>
    <message>
        <source>Compare texts</source>
        <translation>比较文本</translation>
    </message>
    <message>
        <source>Fetch both pages again, as the crawl does, and show how their texts differ</source>
        <translation>按抓取的方式重新抓取两个页面，并显示其文本的差异</translation>
    </message>
</context>
<context>
    <name>EmptyTable</name>
    <message>
        <source>No redirects.</source>
        <translation>没有重定向。</translation>
    </message>
    <message>
        <source>No errors.</source>
        <translation>没有错误。</translation>
    </message>
    <message>
        <source>No broken links.</source>
        <translation>没有失效链接。</translation>
    </message>
    <message>
        <source>No URLs found.</source>
        <translation>没有发现网址。</translation>
    </message>
    <message>
        <source>No pages found.</source>
        <translation>没有发现页面。</translation>
    </message>
    <message>
        <source>No external links.</source>
        <translation>没有指向其他网站的链接。</translation>
    </message>
    <message>
        <source>No skipped URLs.</source>
        <translation>没有跳过任何网址。</translation>
    </message>
    <message>
        <source>No links found.</source>
        <translation>没有发现链接。</translation>
    </message>
    <message>
        <source>No URLs yet.</source>
        <translation>还没有网址。</translation>
    </message>
    <message>
        <source>Pages appear here as they are fetched.</source>
        <translation>页面抓取后会显示在这里。</translation>
    </message>
    <message>
        <source>No redirects yet.</source>
        <translation>目前没有重定向。</translation>
    </message>
    <message>
        <source>No errors yet.</source>
        <translation>目前没有错误。</translation>
    </message>
    <message>
        <source>No external links yet.</source>
        <translation>目前没有指向其他网站的链接。</translation>
    </message>
    <message>
        <source>No skipped URLs yet.</source>
        <translation>目前没有跳过任何内容。</translation>
    </message>
    <message>
        <source>Links appear here as pages are parsed.</source>
        <translation>页面解析后，链接会显示在这里。</translation>
    </message>
    <message>
        <source>No broken links yet.</source>
        <translation>到目前为止没有失效链接。</translation>
    </message>
    <message>
        <source>Working images, scripts and other files appear here.</source>
        <translation>可用的图像、脚本和其他文件会显示在这里。</translation>
    </message>
    <message>
        <source>No working images, scripts or other files. See Errors for broken ones.</source>
        <translation>没有可用的图像、脚本或其他文件。无法使用的在“错误”中。</translation>
    </message>
    <message>
        <source>The URLs of the chosen issue appear here.</source>
        <translation>所选问题涉及的网址将显示在此处。</translation>
    </message>
    <message>
        <source>Missing pages appear at the end of a recrawl.</source>
        <translation>再次抓取结束时，消失的页面会显示在此处。</translation>
    </message>
    <message>
        <source>No missing pages.</source>
        <translation>没有消失的页面。</translation>
    </message>
</context>
<context>
    <name>ErrorLocationTable</name>
    <message>
        <source>Pages with this error</source>
        <translation>有此错误的页面</translation>
    </message>
</context>
<context>
    <name>ErrorTable</name>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>ExportChoices</name>
    <message>
        <source>What to export</source>
        <translation>导出内容</translation>
    </message>
    <message>
        <source>File format</source>
        <translation>文件格式</translation>
    </message>
    <message>
        <source>Delimiter</source>
        <translation>分隔符</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Comma</source>
        <translation>逗号</translation>
    </message>
    <message>
        <source>Semicolon</source>
        <translation>分号</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>制表符</translation>
    </message>
    <message>
        <source>Vertical bar</source>
        <translation>竖线</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>内容(&amp;W)</translation>
    </message>
    <message>
        <source>Fo&amp;rmat</source>
        <translation>格式(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Delimiter</source>
        <translation>分隔符(&amp;D)</translation>
    </message>
    <message>
        <source>Served &amp;at</source>
        <translation>发布于(&amp;A)</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Leave out: {what}</source>
        <translation>排除：{what}</translation>
    </message>
    <message>
        <source>&amp;Columns</source>
        <translation>列(&amp;C)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>All columns</source>
        <translation>全部列</translation>
    </message>
    <message>
        <source>No columns</source>
        <translation>不选任何列</translation>
    </message>
    <message>
        <source>Byte order mark (for Excel)</source>
        <translation>为 Excel 标记 UTF-8</translation>
    </message>
    <message>
        <source>Last modified dates</source>
        <translation>最后修改时间</translation>
    </message>
    <message>
        <source>hreflang alternates</source>
        <translation>其他语言版本</translation>
    </message>
    <message>
        <source>Base URL of the sitemaps</source>
        <translation>站点地图的发布位置</translation>
    </message>
    <message>
        <source>The table as shown</source>
        <translation>与当前显示完全一致的表格</translation>
    </message>
    <message>
        <source>The site root</source>
        <translation>网站根目录</translation>
    </message>
    <message>
        <source>Drag columns to reorder them, or press Alt and an arrow key</source>
        <translation>拖动列，或按 Alt 加方向键来移动</translation>
    </message>
    <message numerus="yes">
        <source>Inlinks of %Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址的入链</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Outlinks of %Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址的出链</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder of {format} files</source>
        <translation>{format} 文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>WACZ file</source>
        <translation>WACZ 文件</translation>
    </message>
</context>
<context>
    <name>ExportDestination</name>
    <message>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Folder to write to</source>
        <translation>要写入的文件夹</translation>
    </message>
    <message>
        <source>File to write</source>
        <translation>要写入的文件</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>导出到</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>打开报告</translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln row(s) to {name}.</source>
        <translation>
            <numerusform>已将 %Ln 行保存到 {name}。</numerusform>
        </translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export progress</source>
        <translation>导出进度</translation>
    </message>
    <message>
        <source>Enter a file name.</source>
        <translation>请指定要写入的文件。</translation>
    </message>
    <message>
        <source>Choose at least one column.</source>
        <translation>请至少选择一列。</translation>
    </message>
    <message>
        <source>Export cancelled. No file was written.</source>
        <translation>已取消，没有写入任何内容。</translation>
    </message>
    <message>
        <source>Report saved to {name}.</source>
        <translation>报告已保存为 {name}。</translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln row(s) to {files} files. {name} is the sitemap index.</source>
        <translation>
            <numerusform>已将 %Ln 行保存到 {files} 个文件，索引文件为 {name}。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The rules left out %Ln more.</source>
        <translation>
            <numerusform>另有 %Ln 行被规则排除。</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} already exists.</source>
        <translation>{name} 已存在。</translation>
    </message>
    <message>
        <source>About {done} of {all} rows</source>
        <translation>{done} 行，共约 {all} 行</translation>
    </message>
    <message>
        <source>One page to share, print or archive: charts of status codes, crawl depth and response times, errors with their inlinks, redirect chains, and the slowest and largest pages.</source>
        <translation>单页报告，可发送、打印或存档：以图表呈现各状态码的响应、深度和响应时间，并列出错误及其入链、重定向链、最慢和最大的页面。</translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln row(s) to {files} files in {name}.</source>
        <translation>
            <numerusform>已将 %Ln 行保存到 {name} 中的 {files} 个文件。</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} is not empty. Files of an earlier export will be replaced.</source>
        <translation>{name} 中已有文件。先前导出的文件将被替换。</translation>
    </message>
    <message>
        <source>Table {done} of {all}</source>
        <translation>第 {done} 张表，共 {all} 张</translation>
    </message>
    <message>
        <source>Audit: {stage}</source>
        <translation>审计：{stage}</translation>
    </message>
    <message>
        <source>Several tables, each as a file in one folder or as a worksheet in one workbook. They replace the tables of an earlier export.</source>
        <translation>多张表：在一个文件夹中每张表一个文件，或在一个工作簿中每张表一个工作表。它们会替换先前导出的表。</translation>
    </message>
    <message>
        <source>Open copy</source>
        <translation>打开副本</translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln page(s) to {path}.</source>
        <translation>
            <numerusform>已将 %Ln 个页面保存到 {path}。</numerusform>
        </translation>
    </message>
    <message>
        <source>The archive of this project as one file to share, with an index and a list of pages. ReplayWeb.page and pywb can display it, and Gossamer can import it.</source>
        <translation>此项目存档中的内容，集中在一个便于转交的文件中，并带有索引和页面列表。ReplayWeb.page 和 pywb 可以显示它，Gossamer 可以导入它。</translation>
    </message>
    <message>
        <source>The archived pages as a new folder for browsing offline: open its index.html. Links stay within the copy, scripts are removed, and nothing is requested.</source>
        <translation>将存档的页面放入一个新文件夹，无需网络即可从磁盘浏览：打开其中的 index.html。链接指向副本之内，脚本会被移除，不会发出任何请求。</translation>
    </message>
    <message>
        <source>{done} % written</source>
        <translation>已写入 {done} %</translation>
    </message>
</context>
<context>
    <name>ExportPreview</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Export preview</source>
        <translation>导出预览</translation>
    </message>
    <message>
        <source>No rows.</source>
        <translation>没有任何行。</translation>
    </message>
    <message>
        <source>First {shown} of about {all} rows</source>
        <translation>前 {shown} 行（共约 {all} 行）</translation>
    </message>
    <message>
        <source>First {shown} of {all} rows</source>
        <translation>前 {shown} 行（共 {all} 行）</translation>
    </message>
</context>
<context>
    <name>ExtractionDialog</name>
    <message>
        <source>Custom extraction</source>
        <translation>自定义提取</translation>
    </message>
    <message>
        <source>Find &amp;by</source>
        <translation>查找方式(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Pattern</source>
        <translation>模式(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Extract</source>
        <translation>提取(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Attribute</source>
        <translation>属性(&amp;A)</translation>
    </message>
    <message>
        <source>A&amp;ll matches, not only the first</source>
        <translation>所有匹配，而不只是第一个(&amp;L)</translation>
    </message>
</context>
<context>
    <name>Facet</name>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Status class</source>
        <translation>状态类别</translation>
    </message>
    <message>
        <source>Kind of content</source>
        <translation>内容种类</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Site</source>
        <translation>网站</translation>
    </message>
    <message>
        <source>Found on</source>
        <translation>发现于</translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation>重定向</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>失效</translation>
    </message>
    <message>
        <source>Queued or in flight</source>
        <translation>排队或抓取中</translation>
    </message>
    <message>
        <source>Not linked</source>
        <translation>无链接指向</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Refused (401, 403)</source>
        <translation>被拒绝（401、403）</translation>
    </message>
    <message>
        <source>Uncertain</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>from {low}</source>
        <translation>{low} 以上</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 至 {high}</translation>
    </message>
    <message>
        <source>Link type</source>
        <translation>链接种类</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Not requested</source>
        <translation>未请求</translation>
    </message>
    <message>
        <source>No response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>No response yet</source>
        <translation>尚无响应</translation>
    </message>
    <message>
        <source>Issue</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Ignored issue</source>
        <translation>已忽略的问题</translation>
    </message>
    <message>
        <source>Custom result</source>
        <translation>自定义结果</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>FacetMenu</name>
    <message>
        <source>Counting…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>No values</source>
        <translation>没有可选项</translation>
    </message>
</context>
<context>
    <name>FetchBar</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message numerus="yes">
        <source>%Ln value(s)</source>
        <translation>
            <numerusform>%Ln 个值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation>重定向</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Internal</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>URLs of the site that were requested, or that robots.txt blocks</source>
        <translation>站点自身的网址：已请求的，或被 robots.txt 阻止的</translation>
    </message>
    <message>
        <source>External</source>
        <translation>外部</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Custom search</source>
        <translation>自定义搜索</translation>
    </message>
    <message>
        <source>Matches of the custom searches in the settings</source>
        <translation>设置中自定义搜索的匹配数</translation>
    </message>
    <message>
        <source>Custom extraction</source>
        <translation>自定义提取</translation>
    </message>
    <message>
        <source>Values of the custom extractions in the settings</source>
        <translation>设置中自定义提取的值</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Choose columns</source>
        <translation>选择列</translation>
    </message>
    <message>
        <source>Export these rows (Ctrl+Shift+E)</source>
        <translation>导出这些行 (Ctrl+Shift+E)</translation>
    </message>
    <message>
        <source>Export these rows</source>
        <translation>导出这些行</translation>
    </message>
    <message>
        <source>Broken links</source>
        <translation>失效链接</translation>
    </message>
    <message>
        <source>Filter rows by status, type, depth and more</source>
        <translation>按状态码、类型、深度等缩小范围</translation>
    </message>
    <message>
        <source>Known, but not requested:</source>
        <translation>已知但从未请求：</translation>
    </message>
    <message>
        <source>Every URL that redirects, wherever it was found</source>
        <translation>所有重定向的地址，无论在何处发现</translation>
    </message>
    <message>
        <source>Every link to an error, with the page it is on</source>
        <translation>指向错误的每个链接及其所在页面</translation>
    </message>
    <message>
        <source>URLs on other hosts</source>
        <translation>其他主机的网址</translation>
    </message>
    <message>
        <source>Known, but not requested; see the Outcome column for the reason</source>
        <translation>已知但从未请求；原因在“结果”列中</translation>
    </message>
    <message>
        <source>Working images, scripts, style sheets and other files</source>
        <translation>可用的图像、脚本、样式表和其他文件</translation>
    </message>
    <message>
        <source>See Errors for broken ones</source>
        <translation>无法使用的在“错误”中</translation>
    </message>
    <message>
        <source>All links</source>
        <translation>所有链接</translation>
    </message>
    <message>
        <source>Issues</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What is wrong, why it matters, and how to fix it</source>
        <translation>有哪些问题、为何重要以及如何修复</translation>
    </message>
    <message>
        <source>By a 3xx status code, a Refresh header, a meta refresh or a script</source>
        <translation>通过 3xx 状态、Refresh 标头、Meta 刷新或脚本</translation>
    </message>
    <message>
        <source>Missing pages</source>
        <translation>消失的页面</translation>
    </message>
    <message>
        <source>Pages of the crawl before that are gone or no longer linked</source>
        <translation>上次抓取中已不存在或不再被链接的页面</translation>
    </message>
    <message>
        <source>They do not count as pages of this crawl</source>
        <translation>它们不计入本次抓取的页面</translation>
    </message>
    <message>
        <source>Every known URL, whether it was requested or not</source>
        <translation>每个已知的网址，无论是否请求过</translation>
    </message>
    <message>
        <source>HTML pages that were fetched and read</source>
        <translation>已抓取并读取的 HTML 页面</translation>
    </message>
    <message>
        <source>URLs that do not work: 4xx, 5xx, and no response</source>
        <translation>无法使用的网址：4xx、5xx 和没有响应</translation>
    </message>
    <message>
        <source>Every link, with the page it is on and its target</source>
        <translation>每个链接及其所在的页面和目标</translation>
    </message>
</context>
<context>
    <name>FilterChips</name>
    <message>
        <source>Clear all</source>
        <translation>全部清除</translation>
    </message>
    <message>
        <source>Change this filter</source>
        <translation>更改此筛选</translation>
    </message>
    <message>
        <source>Remove this filter</source>
        <translation>移除此筛选</translation>
    </message>
    <message>
        <source>Change the filter {filter}</source>
        <translation>更改筛选“{filter}”</translation>
    </message>
    <message>
        <source>Remove the filter {filter}</source>
        <translation>移除筛选“{filter}”</translation>
    </message>
</context>
<context>
    <name>FilterCounts</name>
    <message>
        <source>Issues that did not change</source>
        <translation>没有变化的问题</translation>
    </message>
</context>
<context>
    <name>FilterCountsTree</name>
    <message>
        <source>Filter or issue</source>
        <translation>筛选项或问题</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Filters and issues</source>
        <translation>筛选项和问题</translation>
    </message>
    <message>
        <source>Page was there before, and has moved into the filter</source>
        <translation>页面之前就存在，现在移入了此筛选项</translation>
    </message>
    <message>
        <source>Page is new, and in the filter</source>
        <translation>页面是新增的，并在此筛选项中</translation>
    </message>
    <message>
        <source>Page is indexable now, so that the issue applies to it</source>
        <translation>页面现在可索引，因此该问题开始适用</translation>
    </message>
    <message>
        <source>Page is still there, but no longer in the filter</source>
        <translation>页面仍然存在，但已移出此筛选项</translation>
    </message>
    <message>
        <source>Page was in the filter, and is gone</source>
        <translation>页面曾在此筛选项中，现已消失</translation>
    </message>
    <message>
        <source>Page is no longer indexable, so that the issue does not apply to it</source>
        <translation>页面不再可索引，因此该问题不再适用</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>变差</translation>
    </message>
    <message>
        <source>better</source>
        <translation>好转</translation>
    </message>
    <message>
        <source>Page had the issue; nothing that can be compared shows whether it still has it</source>
        <translation>页面曾有该问题；没有可比较的依据说明现在是否仍有</translation>
    </message>
    <message>
        <source>Page has the issue; nothing that can be compared shows whether it had it before</source>
        <translation>页面有该问题；没有可比较的依据说明以前是否有</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in tree</source>
        <translation>在树中查找</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭搜索</translation>
    </message>
    <message>
        <source>Close the search (Escape)</source>
        <translation>关闭搜索 (Escape)</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n}/{total}</translation>
    </message>
    <message>
        <source>Enter: next match; Shift+Enter: previous match</source>
        <translation>按 Enter 跳到下一个，按 Shift+Enter 跳到上一个</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>无结果</translation>
    </message>
</context>
<context>
    <name>FolderDifferencesTree</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Folders before and after</source>
        <translation>前后的文件夹</translation>
    </message>
    <message>
        <source>No URLs.</source>
        <translation>没有网址。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more folder(s) are not shown</source>
        <translation>
            <numerusform>另有 %Ln 个文件夹未显示</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoldersPanel</name>
    <message>
        <source>Folders tree</source>
        <translation>目录树</translation>
    </message>
    <message>
        <source>The site&apos;s folders appear here.</source>
        <translation>网站的目录会显示在这里。</translation>
    </message>
    <message>
        <source>No folders yet.</source>
        <translation>还没有目录。</translation>
    </message>
</context>
<context>
    <name>FormDialog</name>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
</context>
<context>
    <name>FormLoginDialog</name>
    <message>
        <source>Log in with a form</source>
        <translation>用表单登录</translation>
    </message>
    <message>
        <source>Read form</source>
        <translation>读取表单</translation>
    </message>
    <message>
        <source>Forms of the page</source>
        <translation>页面的表单</translation>
    </message>
    <message>
        <source>Enter the page with the login form. It is recorded without what you type; tokens are taken from the page each time. For codes by phone, captchas and single sign-on, use Log in… instead.</source>
        <translation>请输入带有登录表单的页面。记录表单时不会记录您输入的内容；令牌每次都从页面获取。若需要手机验证码、人机验证或单点登录，请改用“登录…”。</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>The site asks for more.</source>
        <translation>网站还要求输入更多内容。</translation>
    </message>
    <message>
        <source>Button</source>
        <translation>按钮</translation>
    </message>
    <message>
        <source>Sent to {address}.</source>
        <translation>发送至 {address}。</translation>
    </message>
    <message>
        <source>Taken from the page each time: {fields}.</source>
        <translation>每次从页面获取：{fields}。</translation>
    </message>
    <message>
        <source>Fill in the form first.</source>
        <translation>请先填写表单。</translation>
    </message>
    <message>
        <source>&amp;Page</source>
        <translation>页面(&amp;P)</translation>
    </message>
</context>
<context>
    <name>FullPageScreenshotView</name>
    <message>
        <source>Screenshot of the archived page</source>
        <translation>存储页面的图片</translation>
    </message>
    <message>
        <source>“Text and images” shows the page as text that can be read and copied.</source>
        <translation>“文本和图片”以可朗读、可复制的文本显示页面。</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>At least</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>On the command line</source>
        <translation>命令行选项</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>所有设置</translation>
    </message>
    <message>
        <source>Issues</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>About issues</source>
        <translation>关于问题</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Settings of a crawl</source>
        <translation>抓取的设置</translation>
    </message>
    <message>
        <source>In the window, each setting has a question mark that leads to its page.</source>
        <translation>在窗口中，每项设置旁的问号会打开其说明页。</translation>
    </message>
    <message>
        <source>In exports</source>
        <translation>在导出中</translation>
    </message>
    <message>
        <source>In the project file</source>
        <translation>在项目文件中</translation>
    </message>
    <message>
        <source>A comparison of two crawls looks at it.</source>
        <translation>对比两次抓取时会比较此项。</translation>
    </message>
    <message>
        <source>All columns</source>
        <translation>所有列</translation>
    </message>
    <message>
        <source>The table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>More about it</source>
        <translation>更多相关内容</translation>
    </message>
    <message>
        <source>Outcomes of its targets</source>
        <translation>目标的结果</translation>
    </message>
    <message>
        <source>Outcomes</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>No effect without `{setting}`.</source>
        <translation>未启用 `{setting}` 时无效。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Column “{name}”</source>
        <translation>列“{name}”</translation>
    </message>
    <message>
        <source>Tab “{name}”</source>
        <translation>选项卡“{name}”</translation>
    </message>
</context>
<context>
    <name>HelpMark</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Help: {subject}</source>
        <translation>帮助：{subject}</translation>
    </message>
</context>
<context>
    <name>HelpView</name>
    <message>
        <source>Help topic</source>
        <translation>帮助主题</translation>
    </message>
</context>
<context>
    <name>HelpWindow</name>
    <message>
        <source>Gossamer help</source>
        <translation>Gossamer 帮助</translation>
    </message>
    <message>
        <source>Search help</source>
        <translation>搜索帮助</translation>
    </message>
    <message>
        <source>Help topics</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>Pages found</source>
        <translation>找到的页面</translation>
    </message>
    <message>
        <source>No page has these words.</source>
        <translation>没有包含这些词的页面。</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>{page} - Gossamer help</source>
        <translation>{page} - Gossamer 帮助</translation>
    </message>
</context>
<context>
    <name>HistoryWindow</name>
    <message>
        <source>Crawl history</source>
        <translation>抓取历史</translation>
    </message>
    <message>
        <source>The figures of each crawl appear here as it ends.</source>
        <translation>每次抓取结束后，其数据会显示在此处。</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Response times</source>
        <translation>响应时间</translation>
    </message>
    <message>
        <source>Chosen issue or tab</source>
        <translation>所选问题或选项卡</translation>
    </message>
    <message>
        <source>Issue or tab to show</source>
        <translation>要显示的问题或选项卡</translation>
    </message>
    <message>
        <source>The site audit was not up to date: issues that need it are missing.</source>
        <translation>网站审计不是最新的：缺少依赖审计的问题。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln crawl(s)</source>
        <translation>
            <numerusform>%Ln 次抓取</numerusform>
        </translation>
    </message>
    <message>
        <source>Crawls</source>
        <translation>抓取</translation>
    </message>
    <message>
        <source>Issues by priority (URLs)</source>
        <translation>按优先级统计的问题（网址数）</translation>
    </message>
    <message>
        <source>Errors (URLs)</source>
        <translation>错误（网址数）</translation>
    </message>
    <message>
        <source>Notes ({n})</source>
        <translation>备注（{n}）</translation>
    </message>
    <message>
        <source>Compare with the crawl before</source>
        <translation>与前一次抓取对比</translation>
    </message>
    <message>
        <source>Open crawl</source>
        <translation>打开抓取</translation>
    </message>
    <message>
        <source>Add note about this crawl…</source>
        <translation>为此次抓取添加备注…</translation>
    </message>
    <message>
        <source>Add note about {day}…</source>
        <translation>为 {day} 添加备注…</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Forget the figures of the crawl of {time}? They cannot be brought back, unless its project is found.</source>
        <translation>要移除 {time} 抓取的数据吗？除非找到其项目，否则无法恢复。</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
</context>
<context>
    <name>Hreflang</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>the page names itself</source>
        <translation>页面指向自身</translation>
    </message>
    <message>
        <source>the return link is there</source>
        <translation>有返回链接</translation>
    </message>
    <message>
        <source>the return link is missing</source>
        <translation>缺少返回链接</translation>
    </message>
    <message>
        <source>not read, so the return link is not known</source>
        <translation>未读取，因此不知道是否有返回链接</translation>
    </message>
</context>
<context>
    <name>IgnoreController</name>
    <message>
        <source>Too many rows: select at most {n}, or use a pattern</source>
        <translation>行数过多：最多选择 {n} 行，或使用模式</translation>
    </message>
</context>
<context>
    <name>IgnoreDialog</name>
    <message>
        <source>Ignore issue</source>
        <translation>忽略问题</translation>
    </message>
    <message>
        <source>For &amp;all URLs, also those found later</source>
        <translation>所有网址，包括之后发现的(&amp;A)</translation>
    </message>
    <message numerus="yes">
        <source>For the %Ln &amp;selected URL(s)</source>
        <translation>
            <numerusform>选中的 %Ln 个网址(&amp;S)</numerusform>
        </translation>
    </message>
    <message>
        <source>For URLs that &amp;match a pattern</source>
        <translation>符合模式的网址(&amp;M)</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>Ignored issues are not counted, neither here nor in exports and reports. You can take this back at any time.</source>
        <translation>被忽略的问题不再计数，导出和报告中也是如此。您可以随时撤销。</translation>
    </message>
    <message>
        <source>* stands for any characters. Also holds for URLs found later.</source>
        <translation>* 表示任意字符。对之后发现的网址同样有效。</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>&amp;Reason</source>
        <translation>原因(&amp;R)</translation>
    </message>
</context>
<context>
    <name>IgnoredTable</name>
    <message>
        <source>All URLs</source>
        <translation>所有网址</translation>
    </message>
    <message>
        <source>Ignored issues</source>
        <translation>已忽略的问题</translation>
    </message>
    <message>
        <source>No issue is ignored.</source>
        <translation>没有忽略任何问题。</translation>
    </message>
</context>
<context>
    <name>ImagePane</name>
    <message>
        <source>{size} px</source>
        <translation>{size} 像素</translation>
    </message>
    <message>
        <source>Files of more than {size} are not shown.</source>
        <translation>不显示超过 {size} 的文件。</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>The file is not an image of a known format.</source>
        <translation>该文件不是已知格式的图片。</translation>
    </message>
    <message>
        <source>Only SVG images made of plain shapes are shown: others could load files.</source>
        <translation>只显示由基本图形构成的 SVG 图片：其他 SVG 可能会加载文件。</translation>
    </message>
    <message>
        <source>{format} images cannot be shown here.</source>
        <translation>此处无法显示 {format} 图片。</translation>
    </message>
    <message>
        <source>The image has too many pixels to be shown.</source>
        <translation>图片像素过多，无法显示。</translation>
    </message>
    <message>
        <source>The file is damaged: it cannot be decoded.</source>
        <translation>文件已损坏，无法解码。</translation>
    </message>
</context>
<context>
    <name>ImagesView</name>
    <message>
        <source>Fetch</source>
        <translation>抓取</translation>
    </message>
    <message>
        <source>Fetch again</source>
        <translation>重新抓取</translation>
    </message>
    <message>
        <source>Fetch the page and the selected image, as the crawl does</source>
        <translation>按抓取的方式获取此页面和所选图片</translation>
    </message>
    <message>
        <source>Fetching the image…</source>
        <translation>正在抓取图片…</translation>
    </message>
    <message>
        <source>The selected image is shown here once it is fetched.</source>
        <translation>抓取后，所选图片会显示在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s) in the source of the page</source>
        <translation>
            <numerusform>页面源代码中有 %Ln 张图片</numerusform>
        </translation>
    </message>
    <message>
        <source>only the first part was read</source>
        <translation>只读取了前面的部分</translation>
    </message>
    <message>
        <source>Width and height</source>
        <translation>宽度和高度</translation>
    </message>
    <message>
        <source>Displayed</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>ImportController</name>
    <message>
        <source>Web archives ({names})</source>
        <translation>网页存档 ({names})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Import web archive</source>
        <translation>导入网页存档</translation>
    </message>
    <message>
        <source>An archive is being read already. Wait for it, or cancel that.</source>
        <translation>已在读取一个存档。请等待其完成，或将其取消。</translation>
    </message>
    <message numerus="yes">
        <source>Reading %Ln archive(s)… {percent} %</source>
        <translation>
            <numerusform>正在读取 %Ln 个存档… {percent} %</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading {name}… {percent} %</source>
        <translation>正在读取 {name}… {percent} %</translation>
    </message>
    <message>
        <source>Damaged parts of the archive, which were skipped: {damaged}. Records that could be read: {records}.</source>
        <translation>存档中已跳过的损坏之处：{damaged}。可读取的记录：{records}。</translation>
    </message>
</context>
<context>
    <name>InFlightDelegate</name>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>attempt {n}</source>
        <translation>第 {n} 次尝试</translation>
    </message>
</context>
<context>
    <name>InFlightList</name>
    <message>
        <source>Requests in flight; press Delete to cancel the selected one</source>
        <translation>正在抓取的页面；按 Delete 取消所选页面</translation>
    </message>
    <message>
        <source>No requests in flight.</source>
        <translation>当前没有正在抓取的页面。</translation>
    </message>
</context>
<context>
    <name>InlineMessage</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>IssueExplanation</name>
    <message>
        <source>Explanation</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Choose an issue to see what it means and how to fix it.</source>
        <translation>请选择一个问题，查看其含义和修复方法。</translation>
    </message>
</context>
<context>
    <name>IssueMenu</name>
    <message>
        <source>Issue copied</source>
        <translation>已复制问题</translation>
    </message>
</context>
<context>
    <name>IssueTable</name>
    <message>
        <source>Issues</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>IssuesNotice</name>
    <message numerus="yes">
        <source>The audit found %Ln issue(s).</source>
        <translation>
            <numerusform>审计发现 %Ln 个问题。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of these, %Ln have a high priority.</source>
        <translation>
            <numerusform>其中 %Ln 个优先级高。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show issues</source>
        <translation>显示问题</translation>
    </message>
</context>
<context>
    <name>IssuesPane</name>
    <message>
        <source>All types</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>All priorities</source>
        <translation>所有优先级</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>All groups</source>
        <translation>所有分组</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>No issues match the filter.</source>
        <translation>没有符合筛选条件的问题。</translation>
    </message>
    <message>
        <source>Issues appear here as pages are read.</source>
        <translation>读取页面后，问题将显示在此处。</translation>
    </message>
    <message>
        <source>Rules about the whole site are not up to date.</source>
        <translation>全站规则的结果不是最新的。</translation>
    </message>
    <message>
        <source>Filter issues</source>
        <translation>筛选问题</translation>
    </message>
    <message>
        <source>Run audit</source>
        <translation>运行审计</translation>
    </message>
    <message>
        <source>All issues are ignored.</source>
        <translation>所有问题均已忽略。</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>已忽略</translation>
    </message>
    <message>
        <source>What is ignored, by whom and why</source>
        <translation>忽略了什么、由谁忽略以及原因</translation>
    </message>
    <message>
        <source>Thresholds have changed since the audit.</source>
        <translation>阈值在审计之后已更改，结果尚未更新。</translation>
    </message>
</context>
<context>
    <name>LimitFields</name>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Ti&amp;me limit</source>
        <translation>时间限制(&amp;M)</translation>
    </message>
    <message>
        <source>Memor&amp;y limit</source>
        <translation>内存限制(&amp;Y)</translation>
    </message>
    <message>
        <source>Rows sho&amp;wn</source>
        <translation>显示行数(&amp;W)</translation>
    </message>
</context>
<context>
    <name>LinkAction</name>
    <message>
        <source>Followed</source>
        <translation>已跟踪</translation>
    </message>
    <message>
        <source>Checked</source>
        <translation>已检查</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>已记录</translation>
    </message>
    <message>
        <source>Nofollow</source>
        <translation>Nofollow</translation>
    </message>
</context>
<context>
    <name>LinkActions</name>
    <message>
        <source>Copy inlinks for a spreadsheet</source>
        <translation>复制入链（用于电子表格）</translation>
    </message>
    <message>
        <source>Copy outlinks for a spreadsheet</source>
        <translation>复制出链（用于电子表格）</translation>
    </message>
    <message>
        <source>Export inlinks…</source>
        <translation>导出入链…</translation>
    </message>
    <message>
        <source>Export outlinks…</source>
        <translation>导出出链…</translation>
    </message>
    <message>
        <source>No such links</source>
        <translation>没有这样的链接</translation>
    </message>
</context>
<context>
    <name>LoadTree</name>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Lowest</source>
        <translation>最低</translation>
    </message>
    <message>
        <source>Highest</source>
        <translation>最高</translation>
    </message>
    <message>
        <source>Rating</source>
        <translation>评级</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>测量结果</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>网址</translation>
    </message>
</context>
<context>
    <name>LoginController</name>
    <message>
        <source>Enter the site&apos;s URL first: a login is for one site.</source>
        <translation>请先输入网站的网址：登录只针对一个网站。</translation>
    </message>
    <message>
        <source>URLs that were requested before are not requested again.</source>
        <translation>此前已请求的网址不会再次请求。</translation>
    </message>
</context>
<context>
    <name>LoginDialog</name>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Opening a browser window…</source>
        <translation>正在打开浏览器窗口…</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Remember in the system keyring</source>
        <translation>保存到系统密钥环</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>So far: {found}.</source>
        <translation>目前已有：{found}。</translation>
    </message>
    <message>
        <source>The site has set neither a cookie nor a stored value, so nobody is logged in. Try again, and click Done when the site shows that you are logged in.</source>
        <translation>网站既没有设置 Cookie，也没有存储任何值，因此尚未登录。请重试，并在网站显示已登录后点击“完成”。</translation>
    </message>
    <message>
        <source>Closing the browser…</source>
        <translation>正在关闭浏览器…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln cookie(s)</source>
        <translation>
            <numerusform>%Ln 个 Cookie</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln stored value(s)</source>
        <translation>
            <numerusform>%Ln 个存储值</numerusform>
        </translation>
    </message>
    <message>
        <source>Logged in to {site}: {found}.</source>
        <translation>已登录 {site}：{found}。</translation>
    </message>
    <message>
        <source>Remember in the secrets file</source>
        <translation>保存到机密文件</translation>
    </message>
    <message>
        <source>{path}, which only you can read.</source>
        <translation>{path}，只有您能读取。</translation>
    </message>
    <message>
        <source>{cookies} and {stored}</source>
        <translation>{cookies} 和 {stored}</translation>
    </message>
    <message>
        <source>Log in to the site in the browser window that has opened, as you always do. When the site shows that you are logged in, click Done or close that window.</source>
        <translation>请像平常一样，在刚打开的浏览器窗口中登录网站。当网站显示已登录后，点击“完成”或关闭该窗口。</translation>
    </message>
    <message>
        <source>The page still asks for a password.</source>
        <translation>页面仍在要求输入密码。</translation>
    </message>
    <message>
        <source>The browser does not send your certificate. If the site asks for it there, log in with a form instead, or import the certificate into the system temporarily.</source>
        <translation>浏览器不会出示您的证书。如果网站在那里要求证书，请改用表单登录，或在此期间将证书导入系统。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Saving the crawl… Close again to quit at once.</source>
        <translation>正在保存抓取结果…再次关闭可立即结束。</translation>
    </message>
</context>
<context>
    <name>MappingForm</name>
    <message>
        <source>The crawls are of &amp;copies at different addresses</source>
        <translation>两次抓取的是不同地址上的副本(&amp;C)</translation>
    </message>
    <message>
        <source>Type how the addresses of each copy begin.</source>
        <translation>请填写每个副本的地址以什么开头。</translation>
    </message>
    <message>
        <source>{before} is compared with {after}</source>
        <translation>{before} 与 {after} 对比</translation>
    </message>
    <message>
        <source>Addresses &amp;before begin with</source>
        <translation>之前的地址开头(&amp;B)</translation>
    </message>
    <message>
        <source>Addresses &amp;after begin with</source>
        <translation>之后的地址开头(&amp;A)</translation>
    </message>
</context>
<context>
    <name>NodeList</name>
    <message>
        <source>Nodes of the cluster</source>
        <translation>集群的节点</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more node(s)</source>
        <translation>
            <numerusform>另外 %Ln 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>{name}: starting</source>
        <translation>{name}：正在启动</translation>
    </message>
    <message>
        <source>{name}: {active} in flight, {speed} per second</source>
        <translation>{name}：{active} 个正在抓取，每秒 {speed} 个</translation>
    </message>
</context>
<context>
    <name>NoteEditor</name>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>&amp;Day:</source>
        <translation>日期(&amp;D)：</translation>
    </message>
    <message>
        <source>Edit note about {subject}</source>
        <translation>编辑关于{subject}的备注</translation>
    </message>
    <message>
        <source>New note about {subject}</source>
        <translation>关于{subject}的新备注</translation>
    </message>
</context>
<context>
    <name>NoteList</name>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>&amp;Add note…</source>
        <translation>添加备注(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>编辑(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
</context>
<context>
    <name>Notes</name>
    <message>
        <source>Crawl of {time}</source>
        <translation>{time} 的抓取</translation>
    </message>
    <message>
        <source>The site</source>
        <translation>网站</translation>
    </message>
</context>
<context>
    <name>NotesDialog</name>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>No notes yet.</source>
        <translation>还没有备注。</translation>
    </message>
</context>
<context>
    <name>NotesPane</name>
    <message>
        <source>Filter notes</source>
        <translation>筛选备注</translation>
    </message>
    <message>
        <source>What notes are about</source>
        <translation>备注的相关对象</translation>
    </message>
    <message>
        <source>All notes</source>
        <translation>全部备注</translation>
    </message>
    <message>
        <source>The site</source>
        <translation>网站</translation>
    </message>
    <message>
        <source>URLs</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Issues</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Crawls</source>
        <translation>抓取</translation>
    </message>
    <message>
        <source>&amp;Add note…</source>
        <translation>添加备注(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>编辑(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>显示(&amp;S)</translation>
    </message>
    <message>
        <source>Show what the note is about</source>
        <translation>显示备注的相关对象</translation>
    </message>
    <message>
        <source>No notes match the filter.</source>
        <translation>没有符合筛选条件的备注。</translation>
    </message>
    <message>
        <source>No notes yet. Add one here, in the details of a URL, in the explanation of an issue, or with a click on the days of a chart.</source>
        <translation>还没有备注。可在此处、网址的详情、问题的说明中添加，或单击图表的日期轴添加。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s)</source>
        <translation>
            <numerusform>%Ln 条备注</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} / {total}</translation>
    </message>
    <message>
        <source>About the &amp;site…</source>
        <translation>关于网站(&amp;S)…</translation>
    </message>
    <message>
        <source>About a &amp;day…</source>
        <translation>关于某一天(&amp;D)…</translation>
    </message>
    <message>
        <source>the site</source>
        <translation>网站</translation>
    </message>
    <message>
        <source>a day</source>
        <translation>某一天</translation>
    </message>
</context>
<context>
    <name>NotesTable</name>
    <message>
        <source>Notes of this site</source>
        <translation>此网站的备注</translation>
    </message>
</context>
<context>
    <name>NotificationsDialog</name>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Crawls</source>
        <translation>抓取</translation>
    </message>
    <message>
        <source>When</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>There are no notifications. Add a rule to get one when a crawl finds something.</source>
        <translation>目前没有通知。添加一条规则，即可在抓取有所发现时收到通知。</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>Sent by</source>
        <translation>发送方式</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>No messages yet.</source>
        <translation>尚无消息。</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>添加(&amp;A)…</translation>
    </message>
    <message>
        <source>Try a&amp;gain</source>
        <translation>重试(&amp;G)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>This site</source>
        <translation>此网站</translation>
    </message>
    <message>
        <source>Invalid, notifies nobody: {reason}</source>
        <translation>无效，不会发送通知：{reason}</translation>
    </message>
    <message>
        <source>Delivered.</source>
        <translation>已送达。</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Delivered</source>
        <translation>已送达</translation>
    </message>
    <message>
        <source>Given up</source>
        <translation>已放弃</translation>
    </message>
    <message>
        <source>Re&amp;move…</source>
        <translation>移除(&amp;M)…</translation>
    </message>
    <message>
        <source>Remove the rule {name}?</source>
        <translation>移除规则 {name}？</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>{name} (off)</source>
        <translation>{name}（已停用）</translation>
    </message>
    <message>
        <source>Not delivered: {reason}</source>
        <translation>未送达：{reason}</translation>
    </message>
    <message>
        <source>&amp;Change…</source>
        <translation>更改(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Disable</source>
        <translation>停用(&amp;D)</translation>
    </message>
    <message>
        <source>Send a &amp;test message</source>
        <translation>发送测试消息(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Enable</source>
        <translation>启用(&amp;E)</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>主题</translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>In flight</source>
        <translation>正在抓取</translation>
    </message>
    <message>
        <source>Being fetched.</source>
        <translation>正在抓取。</translation>
    </message>
</context>
<context>
    <name>OverviewCharts</name>
    <message>
        <source>requests completed</source>
        <translation>次请求已完成</translation>
    </message>
    <message>
        <source>No data yet.</source>
        <translation>暂无数据。</translation>
    </message>
    <message>
        <source>Responses by status</source>
        <translation>按状态码统计的响应</translation>
    </message>
    <message>
        <source>Responses appear here.</source>
        <translation>服务器的响应会显示在这里。</translation>
    </message>
    <message>
        <source>URLs per second</source>
        <translation>每秒网址数</translation>
    </message>
    <message>
        <source>Crawl speed appears here while a crawl runs.</source>
        <translation>抓取运行时，速度会显示在这里。</translation>
    </message>
    <message>
        <source>Pages by crawl depth</source>
        <translation>按点击深度统计的页面</translation>
    </message>
    <message>
        <source>Response times</source>
        <translation>响应时间</translation>
    </message>
    <message>
        <source>Response time percentiles</source>
        <translation>响应时间百分位</translation>
    </message>
    <message>
        <source>Content types</source>
        <translation>内容类型</translation>
    </message>
    <message>
        <source>Most frequent</source>
        <translation>最常见的结果</translation>
    </message>
    <message>
        <source>Slowest pages</source>
        <translation>最慢的页面</translation>
    </message>
    <message>
        <source>Largest pages</source>
        <translation>最大的页面</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Hosts appear here as they are crawled.</source>
        <translation>正在请求的主机会显示在这里。</translation>
    </message>
    <message>
        <source>Responses by HTTP status</source>
        <translation>按 HTTP 状态统计的响应</translation>
    </message>
    <message>
        <source>Response times in seconds</source>
        <translation>响应时间（秒）</translation>
    </message>
</context>
<context>
    <name>OverviewMarks</name>
    <message>
        <source>2xx Successful</source>
        <translation>2xx 成功</translation>
    </message>
    <message>
        <source>3xx Redirection</source>
        <translation>3xx 重定向</translation>
    </message>
    <message>
        <source>4xx Client error</source>
        <translation>4xx 客户端错误</translation>
    </message>
    <message>
        <source>5xx Server error</source>
        <translation>5xx 服务器错误</translation>
    </message>
    <message>
        <source>{share}. Note: {refreshes}</source>
        <translation>{share}。注意：{refreshes}</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>{n}%</source>
        <translation>{n}%</translation>
    </message>
    <message>
        <source>{n} URLs/s</source>
        <translation>{n} 个网址/秒</translation>
    </message>
    <message>
        <source>{n} in flight</source>
        <translation>正在抓取 {n} 个</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>No response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>Meta refresh and Refresh header redirects have another status code; the Redirects tab lists them all.</source>
        <translation>通过 Meta 刷新或 Refresh 标头的重定向具有其他状态；“重定向”选项卡列出全部重定向。</translation>
    </message>
    <message>
        <source>Depth: {n}</source>
        <translation>点击次数：{n}</translation>
    </message>
    <message>
        <source>{n}% of responses arrived within this time. Click to show slower ones.</source>
        <translation>{n}% 的响应在此时间内到达；点击查看更慢的响应。</translation>
    </message>
    <message>
        <source>backing off, {n} s</source>
        <translation>暂歇 {n} 秒</translation>
    </message>
    <message>
        <source>{n} queued</source>
        <translation>排队 {n} 个</translation>
    </message>
    <message>
        <source>one request every {n} s</source>
        <translation>每 {n} 秒一次请求</translation>
    </message>
    <message>
        <source>{n} of all requests</source>
        <translation>占全部请求的 {n}</translation>
    </message>
    <message>
        <source>average: {n} URLs/s</source>
        <translation>平均 {n} 个网址/秒</translation>
    </message>
    <message>
        <source>Unchanged since last crawl</source>
        <translation>自上次抓取以来未变更</translation>
    </message>
</context>
<context>
    <name>OverviewPanel</name>
    <message>
        <source>Crawl overview</source>
        <translation>抓取概览</translation>
    </message>
</context>
<context>
    <name>OverviewTabs</name>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Issues by group</source>
        <translation>按分组查看问题</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>网站分区</translation>
    </message>
</context>
<context>
    <name>PageChangesView</name>
    <message>
        <source>Open in the earlier crawl</source>
        <translation>在之前的抓取中打开</translation>
    </message>
    <message>
        <source>Open in the later crawl</source>
        <translation>在之后的抓取中打开</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Changes of this page</source>
        <translation>此页面的变化</translation>
    </message>
    <message>
        <source>Texts before and after</source>
        <translation>前后的文本</translation>
    </message>
    <message>
        <source>All fields of this page</source>
        <translation>此页面的所有字段</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Only differences</source>
        <translation>仅显示差异</translation>
    </message>
    <message>
        <source>Select a page to see what has changed.</source>
        <translation>选择一个页面，查看其变化。</translation>
    </message>
    <message>
        <source>This page is new: the earlier crawl does not have it.</source>
        <translation>此页面是新增的：之前的抓取中没有它。</translation>
    </message>
    <message>
        <source>The later crawl has not got this page.</source>
        <translation>之后的抓取没有此页面。</translation>
    </message>
    <message>
        <source>The parts of this page that were compared are the same.</source>
        <translation>此页面所对比的内容相同。</translation>
    </message>
    <message>
        <source>Nothing differs.</source>
        <translation>没有差异。</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Texts side by side</source>
        <translation>文本并排对比</translation>
    </message>
    <message>
        <source>All fields</source>
        <translation>所有字段</translation>
    </message>
    <message>
        <source>What has changed</source>
        <translation>变化内容</translation>
    </message>
    <message>
        <source>Title, description and the other texts compared here are the same. The text of the page itself is not in both projects: it is kept with the setting “Full-text search”. The content similarity among the changes shows how much it differs.</source>
        <translation>标题、描述和此处比较的其他文本都相同。网页正文并非两个项目都有：开启设置“全文搜索”时才会保留。变化中的内容相似度说明正文差异的大小。</translation>
    </message>
    <message>
        <source>Text of the page</source>
        <translation>网页正文</translation>
    </message>
    <message>
        <source>The texts of this page are the same.</source>
        <translation>此网页的文本相同。</translation>
    </message>
</context>
<context>
    <name>PageConditionRow</name>
    <message>
        <source>Such as: /pricing</source>
        <translation>例如：/pricing</translation>
    </message>
    <message>
        <source>Regular expression for addresses</source>
        <translation>匹配地址的正则表达式</translation>
    </message>
    <message>
        <source>A regular expression, searched for in the whole address. A single dot means all.</source>
        <translation>在整个地址中搜索的正则表达式。单个点表示全部。</translation>
    </message>
    <message>
        <source>Remove these pages</source>
        <translation>移除这些页面</translation>
    </message>
</context>
<context>
    <name>PageConditionRows</name>
    <message>
        <source>Add more &amp;pages</source>
        <translation>添加更多页面(&amp;P)</translation>
    </message>
</context>
<context>
    <name>PageFieldsButton</name>
    <message>
        <source>Any change</source>
        <translation>任何变化</translation>
    </message>
    <message numerus="yes">
        <source>{fields} and %Ln more</source>
        <translation>
            <numerusform>{fields} 等另外 %Ln 项</numerusform>
        </translation>
    </message>
    <message>
        <source>What counts</source>
        <translation>计入的内容</translation>
    </message>
</context>
<context>
    <name>PageLoadController</name>
    <message>
        <source>Too many pages to measure: select at most {n}</source>
        <translation>要测量的页面过多：最多选择 {n} 个</translation>
    </message>
</context>
<context>
    <name>PageLoadWindow</name>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Measure loading</source>
        <translation>测量加载性能</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>&amp;Runs per page</source>
        <translation>每页加载次数(&amp;R)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>{done} of {total} runs</source>
        <translation>已完成 {done}/{total} 次</translation>
    </message>
    <message>
        <source>The browser did not show this page. Render it to see why.</source>
        <translation>浏览器未能显示此页面。请渲染此页面以查看原因。</translation>
    </message>
    <message>
        <source>Good up to {good}, poor above {poor}</source>
        <translation>不超过 {good} 为良好，超过 {poor} 为较差</translation>
    </message>
    <message>
        <source>Each run reloads the page with the settings of the crawl and an empty cache. A running crawl slows the page down: pause it first. Results are not stored.</source>
        <translation>每次都按抓取设置重新加载页面，不使用缓存。正在运行的抓取会拖慢页面，请先暂停。结果不会保存。</translation>
    </message>
</context>
<context>
    <name>PathButton</name>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>ProfileMenu</name>
    <message>
        <source>Profile</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Save as profile…</source>
        <translation>另存为方案…</translation>
    </message>
    <message>
        <source>Rename profile</source>
        <translation>重命名方案</translation>
    </message>
    <message>
        <source>Delete profile</source>
        <translation>删除方案</translation>
    </message>
    <message>
        <source>Save as defaults</source>
        <translation>保存为默认设置</translation>
    </message>
    <message>
        <source>Import settings…</source>
        <translation>导入设置…</translation>
    </message>
    <message>
        <source>Export settings…</source>
        <translation>导出设置…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Save as profile</source>
        <translation>另存为方案</translation>
    </message>
    <message>
        <source>Import settings</source>
        <translation>导入设置</translation>
    </message>
    <message>
        <source>Export settings</source>
        <translation>导出设置</translation>
    </message>
    <message>
        <source>Settings (*.toml);;Projects (*.gossamer)</source>
        <translation>设置 (*.toml);;项目 (*.gossamer)</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>A profile named {name} already exists.</source>
        <translation>已有名为 {name} 的方案。</translation>
    </message>
    <message>
        <source>Saved as profile {name}.</source>
        <translation>已保存为方案 {name}。</translation>
    </message>
    <message>
        <source>New crawls will start with these settings.</source>
        <translation>从现在起，新的抓取将使用这些设置。</translation>
    </message>
    <message>
        <source>Profile {name} renamed to {new}.</source>
        <translation>方案 {name} 已改名为 {new}。</translation>
    </message>
    <message>
        <source>Profile {name} deleted.</source>
        <translation>方案 {name} 已删除。</translation>
    </message>
    <message>
        <source>Showing the settings of {name}. Save to use them.</source>
        <translation>已显示 {name} 中的设置；保存后生效。</translation>
    </message>
    <message>
        <source>Settings saved to {name}.</source>
        <translation>设置已写入 {name}。</translation>
    </message>
    <message>
        <source>Profile name</source>
        <translation>方案名称</translation>
    </message>
</context>
<context>
    <name>Profiles</name>
    <message>
        <source>Polite: slow, for sites you do not own</source>
        <translation>礼貌：慢速，用于他人的网站</translation>
    </message>
    <message>
        <source>Fast: for your own server</source>
        <translation>快速：用于自己的服务器</translation>
    </message>
    <message>
        <source>Links only: no images, scripts or styles</source>
        <translation>仅链接：不含图片、脚本和样式</translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <source>{done} of {total}</source>
        <translation>{done}/{total}</translation>
    </message>
    <message>
        <source>{speed} pages/s</source>
        <translation>{speed} 页/秒</translation>
    </message>
    <message numerus="yes">
        <source>%Ln redirect(s)</source>
        <translation>
            <numerusform>%Ln 个重定向</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln 个错误</numerusform>
        </translation>
    </message>
    <message>
        <source>After the pause or the cancel, on this machine and on all nodes</source>
        <translation>暂停或取消之后，在本机和所有节点上</translation>
    </message>
    <message numerus="yes">
        <source>last connection closed after %Ln ms</source>
        <translation>
            <numerusform>%Ln 毫秒后最后一个连接关闭</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln of high priority</source>
        <translation>
            <numerusform>%Ln 个优先级高</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln issue(s)</source>
        <translation>
            <numerusform>%Ln 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Crawling</source>
        <translation>正在抓取</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Crawled by another process</source>
        <translation>正在别处抓取</translation>
    </message>
    <message>
        <source>No pages found</source>
        <translation>一无所获</translation>
    </message>
    <message>
        <source>By a 3xx status code, a Refresh header, a meta refresh or a script</source>
        <translation>通过 3xx 状态、Refresh 标头、Meta 刷新或脚本</translation>
    </message>
    <message>
        <source>As in the last crawl: not modified (304), or not due and not requested</source>
        <translation>与上次抓取相同：未修改 (304)，或未到期而未请求</translation>
    </message>
    <message numerus="yes">
        <source>%Ln unchanged</source>
        <translation>
            <numerusform>%Ln 个未变更</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProjectCommands</name>
    <message>
        <source>{name} rescued</source>
        <translation>{name} 抢救</translation>
    </message>
    <message>
        <source>Save a copy</source>
        <translation>保存副本</translation>
    </message>
    <message>
        <source>{name} copy</source>
        <translation>{name} 副本</translation>
    </message>
    <message>
        <source>A copy was saved as {name}.</source>
        <translation>副本已保存为 {name}。</translation>
    </message>
    <message>
        <source>Saving a copy… {percent} %</source>
        <translation>正在保存副本… {percent}%</translation>
    </message>
    <message>
        <source>Rescue a damaged project</source>
        <translation>抢救损坏的项目</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Rescuing… {percent} %</source>
        <translation>正在抢救… {percent}%</translation>
    </message>
    <message>
        <source>Saved as {name}.</source>
        <translation>已保存为 {name}。</translation>
    </message>
    <message>
        <source>The start, duration, series or previous crawl of the crawl was lost.</source>
        <translation>抓取的开始时间、用时、所属系列或上次抓取的信息已丢失。</translation>
    </message>
    <message>
        <source>If it was a shard, it is none any more, and cannot be merged.</source>
        <translation>如果它原本是分片，现在已不再是，无法合并。</translation>
    </message>
    <message>
        <source>Delete project</source>
        <translation>删除项目</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Save the rescued project as</source>
        <translation>将可读取的内容另存为</translation>
    </message>
    <message>
        <source>Nothing was lost. Project saved as {name}.</source>
        <translation>没有丢失任何内容。项目已保存为 {name}。</translation>
    </message>
    <message>
        <source>Lost: {url} URLs, {visit} responses, {link} links.</source>
        <translation>已丢失：{url} 个网址、{visit} 个响应、{link} 个链接。</translation>
    </message>
    <message>
        <source>Parts of the file were damaged, but no loss was found.</source>
        <translation>文件的部分内容已损坏；未发现有内容丢失。</translation>
    </message>
    <message>
        <source>The settings were lost too. Check them before you resume.</source>
        <translation>设置也已丢失：请在继续之前检查。</translation>
    </message>
    <message numerus="yes">
        <source>Resume will fetch %Ln URL(s) again.</source>
        <translation>
            <numerusform>继续时将重新抓取 %Ln 个网址。</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete project {name}?</source>
        <translation>要删除项目 {name} 吗？</translation>
    </message>
    <message>
        <source>All results of this crawl will be lost.</source>
        <translation>此次抓取的全部内容都将丢失。</translation>
    </message>
    <message>
        <source>Copied to the clipboard: versions, settings without secrets, and the latest errors.</source>
        <translation>已复制到剪贴板：版本、不含机密的设置、最近的错误。</translation>
    </message>
</context>
<context>
    <name>ProjectDialogs</name>
    <message>
        <source>Open project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Gossamer projects (*.gossamer)</source>
        <translation>Gossamer 项目 (*.gossamer)</translation>
    </message>
</context>
<context>
    <name>ProjectRow</name>
    <message>
        <source>This project</source>
        <translation>此项目</translation>
    </message>
    <message>
        <source>Being crawled</source>
        <translation>正在抓取</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln URL(s)</source>
        <translation>
            <numerusform>{done}/%Ln 个网址</numerusform>
        </translation>
    </message>
    <message>
        <source>No pages found</source>
        <translation>一无所获</translation>
    </message>
</context>
<context>
    <name>Proofreading</name>
    <message>
        <source>Spelling</source>
        <translation>拼写</translation>
    </message>
    <message>
        <source>Grammar</source>
        <translation>语法</translation>
    </message>
</context>
<context>
    <name>ProofreadingController</name>
    <message>
        <source>No errors.</source>
        <translation>没有错误。</translation>
    </message>
    <message>
        <source>This crawl checked neither spelling nor grammar. Switch that on in the settings, and crawl again.</source>
        <translation>此次抓取未检查拼写和语法。请在设置中启用，然后重新抓取。</translation>
    </message>
</context>
<context>
    <name>ProofreadingWindow</name>
    <message>
        <source>Spelling and grammar</source>
        <translation>拼写和语法</translation>
    </message>
    <message>
        <source>Filter errors</source>
        <translation>筛选错误</translation>
    </message>
    <message>
        <source>All types</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Suggestions: {words}</source>
        <translation>建议：{words}</translation>
    </message>
    <message>
        <source>No suggestions.</source>
        <translation>没有建议。</translation>
    </message>
    <message>
        <source>Ignore this rule</source>
        <translation>忽略此规则</translation>
    </message>
    <message>
        <source>Ignore this word</source>
        <translation>忽略此单词</translation>
    </message>
    <message>
        <source>Looking for suggestions…</source>
        <translation>正在查找建议…</translation>
    </message>
</context>
<context>
    <name>QueryModel</name>
    <message>
        <source>sorted descending</source>
        <translation>降序</translation>
    </message>
    <message>
        <source>sorted ascending</source>
        <translation>升序</translation>
    </message>
</context>
<context>
    <name>QueryTable</name>
    <message>
        <source>Reset columns</source>
        <translation>重置列</translation>
    </message>
</context>
<context>
    <name>RecentProjects</name>
    <message>
        <source>Recent crawls</source>
        <translation>最近的抓取</translation>
    </message>
    <message>
        <source>Compare crawls…</source>
        <translation>对比抓取…</translation>
    </message>
    <message>
        <source>Compare with another crawl…</source>
        <translation>与另一次抓取对比…</translation>
    </message>
    <message>
        <source>Crawl again…</source>
        <translation>重新抓取…</translation>
    </message>
</context>
<context>
    <name>RecentQueries</name>
    <message>
        <source>No query yet</source>
        <translation>还没有查询</translation>
    </message>
</context>
<context>
    <name>RecrawlController</name>
    <message>
        <source>The site was crawled again, after the crawl of {date}.</source>
        <translation>已重新抓取此网站，上一次抓取是 {date}。</translation>
    </message>
    <message>
        <source>Compare with the crawl of {date}</source>
        <translation>与 {date} 的抓取对比</translation>
    </message>
    <message>
        <source>Replace {name}</source>
        <translation>替换 {name}</translation>
    </message>
    <message>
        <source>Errors and redirects with a different response than before: {count}</source>
        <translation>响应与之前不同的错误和重定向：{count}</translation>
    </message>
    <message>
        <source>The site was crawled again, but {name} was not replaced. {reason}</source>
        <translation>网站已重新抓取，但未替换 {name}。{reason}</translation>
    </message>
    <message>
        <source>The site was crawled again, but the crawl failed. {reason}</source>
        <translation>已重新抓取该网站，但抓取失败。{reason}</translation>
    </message>
    <message>
        <source>The crawl of {date} is as it was.</source>
        <translation>{date} 的抓取保持原样。</translation>
    </message>
    <message>
        <source>Show the crawl of {date}</source>
        <translation>显示 {date} 的抓取</translation>
    </message>
    <message>
        <source>Pages: {counts}.</source>
        <translation>页面：{counts}。</translation>
    </message>
</context>
<context>
    <name>RecrawlDialog</name>
    <message>
        <source>Crawl again</source>
        <translation>重新抓取</translation>
    </message>
    <message>
        <source>As an &amp;update, in place of this one</source>
        <translation>作为更新，取代此抓取(&amp;U)</translation>
    </message>
    <message>
        <source>Crawl {site} again with the same settings. Then compare both crawls.</source>
        <translation>以相同的设置重新抓取 {site}，然后对比两次抓取。</translation>
    </message>
    <message>
        <source>You can compare the two, and see how the site develops.</source>
        <translation>您可以对比两者，了解网站的发展。</translation>
    </message>
    <message>
        <source>It replaces {name} only when it is finished, and you say so.</source>
        <translation>只有在抓取完成且您确认之后才会替换 {name}。</translation>
    </message>
    <message>
        <source>As a &amp;new crawl; this one stays</source>
        <translation>作为新的抓取(&amp;N)，保留本次抓取</translation>
    </message>
</context>
<context>
    <name>RedirectDialog</name>
    <message>
        <source>Check redirects</source>
        <translation>检查重定向</translation>
    </message>
    <message>
        <source>&amp;Table…</source>
        <translation>表格(&amp;T)…</translation>
    </message>
    <message>
        <source>A CSV file: in each row an old address and the new one.</source>
        <translation>CSV 文件：每行一个旧网址和对应的新网址。</translation>
    </message>
    <message>
        <source>&amp;Request the addresses</source>
        <translation>请求这些网址(&amp;R)</translation>
    </message>
    <message>
        <source>Save &amp;list…</source>
        <translation>保存列表(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Cancel saving</source>
        <translation>取消保存(&amp;C)</translation>
    </message>
    <message>
        <source>Choose a table of old and new addresses.</source>
        <translation>请选择包含旧网址和新网址的表格。</translation>
    </message>
    <message>
        <source>Enter the site that the paths belong to.</source>
        <translation>请输入这些路径所属的网站。</translation>
    </message>
    <message>
        <source>Correct the table and choose it again.</source>
        <translation>请修正表格，然后重新选择。</translation>
    </message>
    <message>
        <source>Request the addresses to check them.</source>
        <translation>请求这些网址后即可检查。</translation>
    </message>
    <message>
        <source>The crawl could not be read.</source>
        <translation>无法读取此次抓取的数据。</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Every old address leads to its new one.</source>
        <translation>每个旧网址都指向其新网址。</translation>
    </message>
    <message>
        <source>No such pair.</source>
        <translation>没有这样的网址对。</translation>
    </message>
    <message>
        <source>Checking: {share}</source>
        <translation>正在检查：{share}</translation>
    </message>
    <message>
        <source>{right} of {pairs} right; of these, {chains} by several redirects, {temporary} temporary</source>
        <translation>{pairs} 对中 {right} 对正确；其中 {chains} 对经过多次重定向，{temporary} 对为临时重定向</translation>
    </message>
    <message>
        <source>Starts a crawl of only the old and new addresses.</source>
        <translation>将开始一次仅抓取这些旧网址和新网址的抓取。</translation>
    </message>
    <message>
        <source>The crawl is not finished; the pairs are checked again when it is.</source>
        <translation>抓取尚未结束：结束后将再次检查。</translation>
    </message>
    <message>
        <source>Checked against the crawl shown. Requesting the addresses starts another crawl.</source>
        <translation>根据当前显示的抓取结果检查。点击请求将开始另一次抓取。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln pair(s)</source>
        <translation>
            <numerusform>%Ln 对网址</numerusform>
        </translation>
    </message>
    <message>
        <source>Line {line}: “{text}” has paths; enter the site that they belong to.</source>
        <translation>第 {line} 行：“{text}”只有路径；请输入这些路径所属的网站。</translation>
    </message>
    <message>
        <source>Line {line}: {why}</source>
        <translation>第 {line} 行：{why}</translation>
    </message>
    <message numerus="yes">
        <source>(%Ln more like it)</source>
        <translation>
            <numerusform>（另有 %Ln 行类似）</numerusform>
        </translation>
    </message>
    <message>
        <source>Not right</source>
        <translation>不正确</translation>
    </message>
    <message>
        <source>All pairs</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Needed only if the table has paths such as /old.</source>
        <translation>仅当表格中有 /old 这样的路径时才需要。</translation>
    </message>
    <message>
        <source>Checked redirects</source>
        <translation>已检查的重定向</translation>
    </message>
    <message>
        <source>Site of &amp;paths:</source>
        <translation>路径所属网站(&amp;P)：</translation>
    </message>
    <message>
        <source>&amp;Show:</source>
        <translation>显示(&amp;S)：</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Table of redirects</source>
        <translation>重定向表格</translation>
    </message>
    <message>
        <source>Save list</source>
        <translation>保存列表</translation>
    </message>
    <message>
        <source>Saving the list: {n} %</source>
        <translation>正在保存列表：{n} %</translation>
    </message>
</context>
<context>
    <name>RedirectKind</name>
    <message>
        <source>Refresh header</source>
        <translation>Refresh 标头</translation>
    </message>
    <message>
        <source>Meta refresh</source>
        <translation>Meta 刷新</translation>
    </message>
    <message>
        <source>HTTP redirect</source>
        <translation>HTTP 重定向</translation>
    </message>
    <message>
        <source>Multiple choices</source>
        <translation>多种选择</translation>
    </message>
    <message>
        <source>Permanent</source>
        <translation>永久</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>See other</source>
        <translation>参见其他</translation>
    </message>
    <message>
        <source>JavaScript</source>
        <translation>JavaScript 重定向</translation>
    </message>
</context>
<context>
    <name>RedirectList</name>
    <message>
        <source>Right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>Wrong target</source>
        <translation>目标错误</translation>
    </message>
    <message>
        <source>Not redirected</source>
        <translation>未重定向</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>失效</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>not in this crawl</source>
        <translation>不在此次抓取中</translation>
    </message>
</context>
<context>
    <name>RedirectMenu</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Also redirecting there</source>
        <translation>同样指向该处</translation>
    </message>
    <message>
        <source>Redirects to this URL</source>
        <translation>重定向到此处</translation>
    </message>
    <message>
        <source>This URL does not redirect, and no URL redirects to it.</source>
        <translation>此网址不重定向，也没有网址重定向到它。</translation>
    </message>
    <message>
        <source>{redirect} redirects to</source>
        <translation>{redirect} 指向</translation>
    </message>
</context>
<context>
    <name>RenderedPage</name>
    <message>
        <source>Window it tried to open</source>
        <translation>它试图打开的窗口</translation>
    </message>
    <message>
        <source>Dialogs</source>
        <translation>对话框</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链接</translation>
    </message>
    <message numerus="yes">
        <source>%Ln by JavaScript</source>
        <translation>
            <numerusform>%Ln 个由 JavaScript 添加</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln removed</source>
        <translation>
            <numerusform>%Ln 个被移除</numerusform>
        </translation>
    </message>
    <message>
        <source>(no text)</source>
        <translation>（无文本）</translation>
    </message>
    <message>
        <source>only in HTML</source>
        <translation>仅在 HTML 中</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>only as rendered</source>
        <translation>仅在渲染后</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>不同</translation>
    </message>
</context>
<context>
    <name>RenderedPageView</name>
    <message>
        <source>Render this page</source>
        <translation>渲染此页面</translation>
    </message>
    <message>
        <source>Render again</source>
        <translation>重新渲染</translation>
    </message>
    <message>
        <source>Measure loading…</source>
        <translation>测量加载性能…</translation>
    </message>
    <message>
        <source>Rendering…</source>
        <translation>正在渲染…</translation>
    </message>
    <message>
        <source>What a browser shows of the selected page appears here.</source>
        <translation>此处显示浏览器中所选页面的样子。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>The browser crashed on this page.</source>
        <translation>浏览器在此页面上崩溃。</translation>
    </message>
    <message>
        <source>This page took more than 2 GB of memory in the browser.</source>
        <translation>此页面在浏览器中占用了超过 2 GB 内存。</translation>
    </message>
    <message>
        <source>The browser did not show this page.</source>
        <translation>浏览器未能显示此页面。</translation>
    </message>
    <message>
        <source>This page was not rendered: as far as is known, its HTML is complete.</source>
        <translation>此页面未渲染：就目前所知，它的 HTML 已包含全部内容。</translation>
    </message>
    <message>
        <source>This page was not rendered. Press “Render this page” to see it now as a browser does, or choose “{setting}” in the settings of the next crawl.</source>
        <translation>此页面未渲染。请按“渲染此页面”查看它现在在浏览器中的样子，或在下次抓取的设置中选择“{setting}”。</translation>
    </message>
    <message>
        <source>Scripts of this page redirect, so there is no screenshot of it.</source>
        <translation>此页面的脚本会重定向，因此没有截图。</translation>
    </message>
    <message>
        <source>Reading the archive…</source>
        <translation>正在读取存档…</translation>
    </message>
    <message>
        <source>Press “Render again” to set the HTML and the rendered page side by side. Crawls keep both in the archive if the settings want one.</source>
        <translation>按“重新渲染”可并排显示 HTML 和渲染后的页面。如果设置要求存档，抓取会把两者都保存在存档中。</translation>
    </message>
    <message>
        <source>Not rendered again: {reason}</source>
        <translation>未能重新渲染：{reason}</translation>
    </message>
    <message>
        <source>Rendered now, not stored</source>
        <translation>刚刚渲染，未保存</translation>
    </message>
    <message>
        <source>read as it was when time ran out</source>
        <translation>时间用完时按当时的样子读取</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s)</source>
        <translation>
            <numerusform>%Ln 个请求</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked</source>
        <translation>
            <numerusform>%Ln 个被阻止</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed</source>
        <translation>
            <numerusform>%Ln 个失败</numerusform>
        </translation>
    </message>
    <message>
        <source>loaded in {time}</source>
        <translation>加载用时 {time}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>scripts redirect to {address}</source>
        <translation>脚本重定向到 {address}</translation>
    </message>
    <message>
        <source>No screenshot was kept. Press “Render again”, or choose “{setting}” in the settings of the next crawl.</source>
        <translation>未保留截图。请按“重新渲染”，或在下次抓取的设置中选择“{setting}”。</translation>
    </message>
    <message>
        <source>Rendered page</source>
        <translation>渲染后的页面</translation>
    </message>
</context>
<context>
    <name>RenderingNotice</name>
    <message>
        <source>Pages are not rendered, only their HTML is read.</source>
        <translation>页面未渲染，只读取其 HTML。</translation>
    </message>
    <message>
        <source>Many pages of this site are empty without JavaScript. Render them to see their text and links.</source>
        <translation>此网站的许多页面没有 JavaScript 就是空的。渲染页面可看到其文字和链接。</translation>
    </message>
    <message>
        <source>Render pages</source>
        <translation>渲染页面</translation>
    </message>
    <message>
        <source>Install a browser…</source>
        <translation>安装浏览器…</translation>
    </message>
    <message>
        <source>Choose a browser…</source>
        <translation>选择浏览器…</translation>
    </message>
    <message>
        <source>The browser does not start. Install another one, or choose one in the settings; the log says why.</source>
        <translation>浏览器无法启动。请安装其他浏览器，或在设置中选择一个；原因见日志。</translation>
    </message>
    <message>
        <source>A browser is installed now. Crawl the site again to render its pages.</source>
        <translation>浏览器已安装。请重新抓取该网站，以渲染其页面。</translation>
    </message>
</context>
<context>
    <name>RequestWaterfall</name>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Style sheet</source>
        <translation>样式表</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Media</source>
        <translation>媒体</translation>
    </message>
    <message>
        <source>Font</source>
        <translation>字体</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Prefetch</source>
        <translation>预取</translation>
    </message>
    <message>
        <source>Manifest</source>
        <translation>清单</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>blocked: not http or https</source>
        <translation>已阻止：不是 http 或 https</translation>
    </message>
    <message>
        <source>blocked: changes nothing on the page</source>
        <translation>已阻止：不影响页面显示</translation>
    </message>
    <message>
        <source>blocked: would send to another site</source>
        <translation>已阻止：会向其他网站发送数据</translation>
    </message>
    <message>
        <source>blocked by robots.txt</source>
        <translation>被 robots.txt 阻止</translation>
    </message>
    <message>
        <source>blocked: private address</source>
        <translation>已阻止：私有地址</translation>
    </message>
    <message>
        <source>blocked by an exclude pattern</source>
        <translation>被排除规则阻止</translation>
    </message>
    <message>
        <source>blocked: looks like signing out</source>
        <translation>已阻止：看起来会退出登录</translation>
    </message>
    <message>
        <source>blocked: too many requests</source>
        <translation>已阻止：请求过多</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Waterfall</source>
        <translation>瀑布图</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>failed: {reason}</source>
        <translation>失败：{reason}</translation>
    </message>
    <message>
        <source>loaded by another page</source>
        <translation>已由其他页面加载</translation>
    </message>
    <message>
        <source>started after {start}, took {time}</source>
        <translation>在 {start} 后开始，用时 {time}</translation>
    </message>
    <message>
        <source>The page requested nothing else.</source>
        <translation>页面没有请求其他内容。</translation>
    </message>
    <message>
        <source>blocked: crawlers open no WebSockets</source>
        <translation>已阻止：爬虫不建立 WebSocket 连接</translation>
    </message>
</context>
<context>
    <name>ResultTable</name>
    <message>
        <source>Rows of the result</source>
        <translation>查询结果的行</translation>
    </message>
    <message>
        <source>&amp;Copy rows</source>
        <translation>复制行(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Show in the tables</source>
        <translation>在表格中显示(&amp;S)</translation>
    </message>
</context>
<context>
    <name>RobotsTester</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>&amp;Revert</source>
        <translation>还原(&amp;R)</translation>
    </message>
    <message>
        <source>Save &amp;list…</source>
        <translation>保存列表(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Cancel saving</source>
        <translation>取消保存(&amp;C)</translation>
    </message>
    <message>
        <source>{name} (this crawl)</source>
        <translation>{name}（本次抓取）</translation>
    </message>
    <message>
        <source>Any other crawler</source>
        <translation>任何其他爬虫</translation>
    </message>
    <message>
        <source>Remarks on the lines</source>
        <translation>各行备注</translation>
    </message>
    <message>
        <source>URLs whose access changes</source>
        <translation>访问权限改变的网址</translation>
    </message>
    <message>
        <source>&amp;Crawler:</source>
        <translation>爬虫(&amp;C)：</translation>
    </message>
    <message>
        <source>Try a &amp;URL:</source>
        <translation>测试网址(&amp;U)：</translation>
    </message>
    <message>
        <source>Type a URL of {site}.</source>
        <translation>请输入 {site} 的网址。</translation>
    </message>
    <message>
        <source>before: {before}    after: {after}</source>
        <translation>修改前：{before}    修改后：{after}</translation>
    </message>
    <message>
        <source>{blocked} newly blocked, {allowed} newly allowed, of {tried} URLs</source>
        <translation>{tried} 个网址中，新屏蔽 {blocked} 个，新允许 {allowed} 个</translation>
    </message>
    <message>
        <source> (the first {most} are listed)</source>
        <translation>（列出前 {most} 个）</translation>
    </message>
    <message>
        <source>No known URL changes its access.</source>
        <translation>没有已知网址的访问权限会改变。</translation>
    </message>
    <message>
        <source>Trying URLs…</source>
        <translation>正在测试网址…</translation>
    </message>
    <message>
        <source>Line {line}: {sentence}</source>
        <translation>第 {line} 行：{sentence}</translation>
    </message>
    <message>
        <source>Every line can be understood.</source>
        <translation>每一行都可以理解。</translation>
    </message>
    <message>
        <source>Saving the list: {n} %</source>
        <translation>正在保存列表：{n}%</translation>
    </message>
    <message>
        <source>Save list</source>
        <translation>保存列表</translation>
    </message>
</context>
<context>
    <name>RootField</name>
    <message>
        <source>Site</source>
        <translation>网站</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Reading the list…</source>
        <translation>正在读取列表…</translation>
    </message>
    <message>
        <source>only these</source>
        <translation>仅这些网址</translation>
    </message>
    <message>
        <source>crawl from these</source>
        <translation>从这些网址开始抓取</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) left out</source>
        <translation>
            <numerusform>未采用 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Crawl a website from one URL</source>
        <translation>从一个网址开始抓取网站</translation>
    </message>
    <message>
        <source>Check a list of URLs, pasted or from a file</source>
        <translation>检查网址列表：粘贴或从文件打开</translation>
    </message>
    <message>
        <source>URL list: {words}</source>
        <translation>网址列表：{words}</translation>
    </message>
    <message>
        <source>Paste or open a URL list…</source>
        <translation>粘贴或打开网址列表…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RowTables</name>
    <message>
        <source>Addresses</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链接</translation>
    </message>
</context>
<context>
    <name>RuleChoice</name>
    <message>
        <source>Filter by issue</source>
        <translation>按问题筛选</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>RuleConditionForm</name>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>已失败</translation>
    </message>
    <message>
        <source>paused by itself</source>
        <translation>自行暂停</translation>
    </message>
    <message>
        <source>of high priority</source>
        <translation>高优先级</translation>
    </message>
    <message>
        <source>of medium or high priority</source>
        <translation>中或高优先级</translation>
    </message>
    <message>
        <source>of any priority</source>
        <translation>任意优先级</translation>
    </message>
    <message>
        <source>How many errors are fine</source>
        <translation>允许的错误数量</translation>
    </message>
    <message>
        <source>Within how many days</source>
        <translation>多少天以内</translation>
    </message>
    <message>
        <source>days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>Lowest priority</source>
        <translation>最低优先级</translation>
    </message>
    <message>
        <source>Only in crawls with “Read the site&apos;s sitemaps”</source>
        <translation>仅限启用“同时读取网站的站点地图”的抓取</translation>
    </message>
</context>
<context>
    <name>RuleForm</name>
    <message>
        <source>Add notification</source>
        <translation>添加通知</translation>
    </message>
    <message>
        <source>All crawls</source>
        <translation>所有抓取</translation>
    </message>
    <message>
        <source>Crawls of this site</source>
        <translation>此网站的抓取</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Such as: Something broke</source>
        <translation>例如：出现故障</translation>
    </message>
    <message>
        <source>Notify when</source>
        <translation>何时通知</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Change notification</source>
        <translation>更改通知</translation>
    </message>
    <message>
        <source>Repeat what has not changed since the last message</source>
        <translation>重复自上一条消息以来没有变化的内容</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>What comes meanwhile waits, and is put into one message.</source>
        <translation>其间的内容会等待，并合并为一条消息。</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Of which crawls</source>
        <translation>适用的抓取(&amp;O)</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>No wait</source>
        <translation>不等待</translation>
    </message>
    <message>
        <source>Wait between two messages</source>
        <translation>两条消息之间等待</translation>
    </message>
</context>
<context>
    <name>RuleTree</name>
    <message>
        <source>Issues by group</source>
        <translation>按分组查看问题</translation>
    </message>
    <message>
        <source>Rules with URLs / all rules</source>
        <translation>命中网址的规则数 / 规则总数</translation>
    </message>
</context>
<context>
    <name>RuleTrialDialog</name>
    <message>
        <source>Test message</source>
        <translation>测试消息</translation>
    </message>
    <message>
        <source>What was sent</source>
        <translation>已发送的内容</translation>
    </message>
    <message>
        <source>not delivered: {reason}</source>
        <translation>未送达：{reason}</translation>
    </message>
    <message>
        <source>delivered: {reply}</source>
        <translation>已送达：{reply}</translation>
    </message>
    <message>
        <source>delivered</source>
        <translation>已送达</translation>
    </message>
</context>
<context>
    <name>Rules</name>
    <message>
        <source>Issue</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Opportunity</source>
        <translation>改进机会</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>priority: {priority}</source>
        <translation>优先级：{priority}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址</numerusform>
        </translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Why it matters</source>
        <translation>为何重要</translation>
    </message>
    <message>
        <source>How to fix it</source>
        <translation>如何修复</translation>
    </message>
    <message>
        <source>Read more</source>
        <translation>了解更多</translation>
    </message>
    <message>
        <source>Ignore…</source>
        <translation>忽略…</translation>
    </message>
    <message>
        <source>Change threshold…</source>
        <translation>更改阈值…</translation>
    </message>
    <message>
        <source>Show all errors…</source>
        <translation>显示所有错误…</translation>
    </message>
    <message>
        <source>Needs rendering: switch on the setting Render pages, and crawl again.</source>
        <translation>需要渲染：请开启“渲染页面”设置，然后重新抓取。</translation>
    </message>
    <message>
        <source>Needs rendering with accessibility on: switch on the settings Render pages and Check accessibility, and crawl again.</source>
        <translation>需要渲染并开启无障碍检查：请打开“渲染页面”和“检查无障碍”设置，然后重新抓取。</translation>
    </message>
    <message>
        <source>Needs rendering as on a phone: switch on the setting Render pages, set Device to Mobile, and crawl again.</source>
        <translation>需要按手机的显示方式渲染：请开启“渲染页面”，将“设备”设为“移动设备”，然后重新抓取。</translation>
    </message>
    <message>
        <source>Notes…</source>
        <translation>备注…</translation>
    </message>
</context>
<context>
    <name>RunsPane</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>No runs yet.</source>
        <translation>尚未运行。</translation>
    </message>
</context>
<context>
    <name>SavedFilterButton</name>
    <message>
        <source>Saved filters</source>
        <translation>已保存的筛选</translation>
    </message>
    <message>
        <source>No saved filters yet</source>
        <translation>还没有已保存的筛选</translation>
    </message>
    <message>
        <source>Save this filter…</source>
        <translation>保存此筛选…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Save this filter</source>
        <translation>保存此筛选</translation>
    </message>
    <message>
        <source>Name; a filter of the same name is replaced</source>
        <translation>名称；同名的筛选会被替换</translation>
    </message>
    <message>
        <source>Saved filters: the same in every crawl of this site</source>
        <translation>已保存的筛选：在此网站的每次抓取中都相同</translation>
    </message>
</context>
<context>
    <name>ScheduleForm</name>
    <message>
        <source>Add schedule</source>
        <translation>添加定时抓取</translation>
    </message>
    <message>
        <source>Change schedule</source>
        <translation>更改定时抓取</translation>
    </message>
    <message>
        <source>&amp;Remove old projects, but keep</source>
        <translation>删除旧项目，但保留(&amp;R)</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>A new crawl of the site each time</source>
        <translation>每次重新开始抓取网站</translation>
    </message>
    <message>
        <source>Such as: Shop, nightly</source>
        <translation>例如：商店，每晚</translation>
    </message>
    <message>
        <source>Every day</source>
        <translation>每天</translation>
    </message>
    <message>
        <source>Every week</source>
        <translation>每周</translation>
    </message>
    <message>
        <source>Cron expression</source>
        <translation>cron 表达式</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>Day of the week</source>
        <translation>星期几</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>A folder of its own, where crawls are kept</source>
        <translation>在保存抓取的位置单独建立文件夹</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Crawl again</source>
        <translation>重新抓取(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;When</source>
        <translation>时间(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Projects go to</source>
        <translation>项目存放到(&amp;P)</translation>
    </message>
    <message>
        <source>days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>weeks</source>
        <translation>周</translation>
    </message>
    <message>
        <source>months</source>
        <translation>月</translation>
    </message>
    <message>
        <source>Of each of the last days, weeks and months, the last crawl stays.</source>
        <translation>最近的每一天、每一周、每一月各保留最后一次抓取。</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Folder for the projects</source>
        <translation>存放项目的文件夹</translation>
    </message>
</context>
<context>
    <name>Schedules</name>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Finished, but not all that follows</source>
        <translation>抓取已完成，但后续步骤未全部完成</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>接下来</translation>
    </message>
    <message>
        <source>Running now</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>已停用</translation>
    </message>
    <message>
        <source>Cannot be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>When you start it</source>
        <translation>由您启动时</translation>
    </message>
</context>
<context>
    <name>SchedulesDialog</name>
    <message>
        <source>Schedules</source>
        <translation>定时抓取</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Next run</source>
        <translation>下次运行</translation>
    </message>
    <message>
        <source>Last run</source>
        <translation>上次运行</translation>
    </message>
    <message>
        <source>No schedules. Add one to have a site crawled every day or every week.</source>
        <translation>没有定时抓取。添加一个，即可每天或每周抓取网站。</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>添加(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Change…</source>
        <translation>更改(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Disable</source>
        <translation>停用(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Run now</source>
        <translation>立即运行(&amp;R)</translation>
    </message>
    <message>
        <source>Re&amp;move…</source>
        <translation>移除(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Enable</source>
        <translation>启用(&amp;E)</translation>
    </message>
    <message>
        <source>Remove the schedule {name}? Its projects stay.</source>
        <translation>移除定时抓取 {name}？其项目会保留。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Site</source>
        <translation>网站</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>消失</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>New issues</source>
        <translation>新问题</translation>
    </message>
    <message>
        <source>&amp;What changed</source>
        <translation>查看变化(&amp;W)</translation>
    </message>
    <message>
        <source>Click to see what has changed</source>
        <translation>点击查看变化</translation>
    </message>
</context>
<context>
    <name>ScreenshotView</name>
    <message>
        <source>Screenshot of the rendered page</source>
        <translation>渲染后页面的截图</translation>
    </message>
    <message>
        <source>Click to enlarge</source>
        <translation>点击放大</translation>
    </message>
</context>
<context>
    <name>SearchDialog</name>
    <message>
        <source>Custom search</source>
        <translation>自定义搜索</translation>
    </message>
    <message>
        <source>Search &amp;in</source>
        <translation>搜索范围(&amp;I)</translation>
    </message>
    <message>
        <source>CSS &amp;selector</source>
        <translation>CSS 选择器(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Condition</source>
        <translation>条件(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文本(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Regular expression</source>
        <translation>正则表达式(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Match case</source>
        <translation>区分大小写(&amp;M)</translation>
    </message>
</context>
<context>
    <name>SearchIndexController</name>
    <message>
        <source>Preparing the search in {name}: {percent}</source>
        <translation>正在准备在 {name} 中搜索：{percent}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>SearchMode</name>
    <message>
        <source>Which pages are found</source>
        <translation>查找哪些页面</translation>
    </message>
    <message>
        <source>Mentions</source>
        <translation>提到</translation>
    </message>
    <message>
        <source>Does not mention</source>
        <translation>未提到</translation>
    </message>
    <message>
        <source>Mentions, but does not link to…</source>
        <translation>提到但未链接到…</translation>
    </message>
    <message>
        <source>Does not mention, and does not link to…</source>
        <translation>未提到且未链接到…</translation>
    </message>
    <message>
        <source>URL that the pages do not link to</source>
        <translation>页面未链接到的 URL</translation>
    </message>
    <message>
        <source>A URL of this crawl, such as https://example.com/page</source>
        <translation>本次抓取中的 URL，例如 https://example.com/page</translation>
    </message>
</context>
<context>
    <name>SecretsStatus</name>
    <message>
        <source>This crawl needs {what}.</source>
        <translation>此次抓取需要：{what}。</translation>
    </message>
    <message>
        <source>Forget credentials</source>
        <translation>清除已保存的凭据</translation>
    </message>
    <message>
        <source>Removes the stored credentials for this site.</source>
        <translation>移除为此网站保存的凭据。</translation>
    </message>
    <message>
        <source>Log in…</source>
        <translation>登录…</translation>
    </message>
    <message>
        <source>Opens a browser window in which you log in to the site.</source>
        <translation>打开浏览器窗口，您可在其中登录网站。</translation>
    </message>
    <message>
        <source>Log in with a form…</source>
        <translation>用表单登录…</translation>
    </message>
    <message>
        <source>Fills in the login form of the site here, without a browser.</source>
        <translation>在此填写网站的登录表单，无需浏览器。</translation>
    </message>
    <message>
        <source>The crawl will use the browser&apos;s user agent: {agent}</source>
        <translation>抓取将使用该浏览器的用户代理：{agent}</translation>
    </message>
    <message>
        <source>Use its user agent</source>
        <translation>使用其用户代理</translation>
    </message>
    <message>
        <source>Some sites accept a login only from the browser in which it was made. With this button, the crawl uses the user agent of that browser.</source>
        <translation>有些网站只接受登录时所用浏览器的请求。启用后，抓取将使用与该浏览器相同的用户代理。</translation>
    </message>
    <message>
        <source>Credentials and private headers are sent only to the start URLs&apos; servers and are never written to a project.</source>
        <translation>凭据和私有标头只发送给起始网址的服务器，绝不会写入项目。</translation>
    </message>
</context>
<context>
    <name>SegmentChoice</name>
    <message>
        <source>Filter by segment</source>
        <translation>按分区筛选</translation>
    </message>
    <message>
        <source>All segments</source>
        <translation>全部分区</translation>
    </message>
    <message>
        <source>No segment</source>
        <translation>不属于任何分区</translation>
    </message>
    <message numerus="yes">
        <source>%Ln segment(s)</source>
        <translation>
            <numerusform>%Ln 个分区</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SegmentDialog</name>
    <message>
        <source>Segment</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>C&amp;olour</source>
        <translation>颜色(&amp;O)</translation>
    </message>
    <message>
        <source>Condition as &amp;text</source>
        <translation>以文本填写条件(&amp;T)</translation>
    </message>
    <message>
        <source>Con&amp;ditions</source>
        <translation>条件(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Condition</source>
        <translation>条件(&amp;C)</translation>
    </message>
    <message>
        <source>This condition cannot be shown as a list; it stays text.</source>
        <translation>此条件不只是一个列表，只能以文本填写。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s) of this crawl meet the condition.</source>
        <translation>
            <numerusform>此抓取中有 %Ln 个网址满足条件。</numerusform>
        </translation>
    </message>
    <message>
        <source>Colour of the segment</source>
        <translation>分区的颜色</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>SegmentEditor</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>URLs</source>
        <translation>网址</translation>
    </message>
</context>
<context>
    <name>SegmentList</name>
    <message>
        <source>Segments</source>
        <translation>网站分区</translation>
    </message>
    <message>
        <source>Name parts of the site in the settings, under Audit.</source>
        <translation>请在设置的“审计”中为网站的各部分命名。</translation>
    </message>
    <message>
        <source>No segment</source>
        <translation>不属于任何分区</translation>
    </message>
</context>
<context>
    <name>SelectorTester</name>
    <message>
        <source>CSS selector to try on this page</source>
        <translation>在此页面上试用的 CSS 选择器</translation>
    </message>
    <message>
        <source>Elements: {n}</source>
        <translation>元素：{n}</translation>
    </message>
    <message>
        <source>CSS selector, e.g. a[rel~=nofollow]</source>
        <translation>CSS 选择器，例如 a[rel~=nofollow]</translation>
    </message>
    <message>
        <source>Elements that match the selector</source>
        <translation>规则匹配的元素</translation>
    </message>
    <message>
        <source>Press Enter to find matching elements.</source>
        <translation>按 Enter 查看它匹配哪些元素。</translation>
    </message>
    <message>
        <source>, showing the first {n}</source>
        <translation>，列出前 {n} 个</translation>
    </message>
    <message>
        <source>Matching…</source>
        <translation>正在试用…</translation>
    </message>
</context>
<context>
    <name>Sentences</name>
    <message>
        <source>{host} refuses connections</source>
        <translation>{host} 拒绝连接</translation>
    </message>
    <message>
        <source>{path} is a folder; add a file name.</source>
        <translation>{path} 是文件夹，请加上文件名。</translation>
    </message>
    <message>
        <source>{path} is not a file; choose another name.</source>
        <translation>{path} 不是文件，请换一个名称。</translation>
    </message>
    <message>
        <source>{path} is the project itself; choose another name.</source>
        <translation>{path} 是项目文件本身，请换一个名称。</translation>
    </message>
    <message>
        <source>The disk is full; free some space, then export {name} again.</source>
        <translation>磁盘已满，请释放空间后重新导出 {name}。</translation>
    </message>
    <message>
        <source>exclude pattern {pattern}</source>
        <translation>排除规则 {pattern}</translation>
    </message>
    <message>
        <source>{robots_txt}, line {line}: {rule}</source>
        <translation>{robots_txt} 第 {line} 行：{rule}</translation>
    </message>
    <message>
        <source>{robots_txt} could not be read: {why}</source>
        <translation>无法读取 {robots_txt}：{why}</translation>
    </message>
    <message>
        <source>after {seconds} s</source>
        <translation>{seconds} 秒后</translation>
    </message>
    <message>
        <source>by {service}</source>
        <translation>由 {service} 显示</translation>
    </message>
    <message>
        <source>Location: {location}</source>
        <translation>Location：{location}</translation>
    </message>
    <message>
        <source>cut at {size} bytes</source>
        <translation>截断于 {size} 字节</translation>
    </message>
    <message>
        <source>the compressed data ended too early</source>
        <translation>压缩数据过早结束</translation>
    </message>
    <message>
        <source>the body is compressed {times} times over</source>
        <translation>正文被压缩了 {times} 次</translation>
    </message>
    <message>
        <source>no connection within {seconds} s</source>
        <translation>{seconds} 秒内未能连接</translation>
    </message>
    <message>
        <source>it took more than {seconds} s</source>
        <translation>耗时超过 {seconds} 秒</translation>
    </message>
    <message>
        <source>the deadline passed</source>
        <translation>已超时</translation>
    </message>
    <message>
        <source>while connecting: {why}</source>
        <translation>连接时：{why}</translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation>服务器关闭了连接</translation>
    </message>
    <message>
        <source>the proxy: {why}</source>
        <translation>代理：{why}</translation>
    </message>
    <message>
        <source>no connection</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Roots</source>
        <translation>起始网址</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>并发数</translation>
    </message>
    <message>
        <source>Max redirects</source>
        <translation>重定向上限</translation>
    </message>
    <message>
        <source>Max tries</source>
        <translation>尝试次数上限</translation>
    </message>
    <message>
        <source>Max depth</source>
        <translation>深度上限</translation>
    </message>
    <message>
        <source>Max pages</source>
        <translation>页面数上限</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>包含规则</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除规则</translation>
    </message>
    <message>
        <source>Host match</source>
        <translation>主机匹配</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>User agent</source>
        <translation>用户代理</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>请求头</translation>
    </message>
    <message>
        <source>Needs secrets</source>
        <translation>所需机密</translation>
    </message>
    <message>
        <source>Accept language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>Keep cookies</source>
        <translation>保留 Cookie</translation>
    </message>
    <message>
        <source>Obey robots</source>
        <translation>遵守 robots.txt</translation>
    </message>
    <message>
        <source>Parser</source>
        <translation>解析器</translation>
    </message>
    <message>
        <source>Max body bytes</source>
        <translation>页面大小上限（字节）</translation>
    </message>
    <message>
        <source>Max url length</source>
        <translation>网址长度上限</translation>
    </message>
    <message>
        <source>Max links</source>
        <translation>每页链接上限</translation>
    </message>
    <message>
        <source>Max similar</source>
        <translation>相似网址上限</translation>
    </message>
    <message>
        <source>Max per host</source>
        <translation>每主机并发上限</translation>
    </message>
    <message>
        <source>Follow kinds</source>
        <translation>跟踪的链接种类</translation>
    </message>
    <message>
        <source>Check kinds</source>
        <translation>检查的链接种类</translation>
    </message>
    <message>
        <source>Follow nofollow</source>
        <translation>跟踪 nofollow 链接</translation>
    </message>
    <message>
        <source>Check external</source>
        <translation>检查外部链接</translation>
    </message>
    <message>
        <source>External rate</source>
        <translation>外部检查频率</translation>
    </message>
    <message>
        <source>Use sitemaps</source>
        <translation>读取站点地图</translation>
    </message>
    <message>
        <source>Sitemaps</source>
        <translation>站点地图</translation>
    </message>
    <message>
        <source>List only</source>
        <translation>仅抓取列表</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>失败时暂停</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>抓取次序</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>设备或资源忙</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>超出磁盘配额</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation>参数无效</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是一个目录</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或目录</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是目录</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>操作不允许</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>只读文件系统</translation>
    </message>
    <message>
        <source>Resource temporarily unavailable</source>
        <translation>资源暂时不可用</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>A helper process did not start in time; try again on a quieter machine.</source>
        <translation>辅助进程未能及时启动，请在计算机较空闲时重试。</translation>
    </message>
    <message>
        <source>A helper process cannot be started ({reason}); close other programs and try again.</source>
        <translation>无法启动辅助进程（{reason}），请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>Image map</source>
        <translation>图像映射</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Redirect</source>
        <translation>重定向</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Style sheet</source>
        <translation>样式表</translation>
    </message>
    <message>
        <source>Canonical</source>
        <translation>规范网址</translation>
    </message>
    <message>
        <source>Alternate</source>
        <translation>替代版本</translation>
    </message>
    <message>
        <source>Next or previous</source>
        <translation>上一页/下一页</translation>
    </message>
    <message>
        <source>Icon</source>
        <translation>图标</translation>
    </message>
    <message>
        <source>Media</source>
        <translation>媒体</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Meta refresh</source>
        <translation>Meta 刷新</translation>
    </message>
    <message>
        <source>Refresh header</source>
        <translation>Refresh 标头</translation>
    </message>
    <message>
        <source>CSS</source>
        <translation>CSS</translation>
    </message>
    <message>
        <source>Open Graph</source>
        <translation>Open Graph</translation>
    </message>
    <message>
        <source>Sitemap</source>
        <translation>站点地图</translation>
    </message>
    <message>
        <source>Sitemap index</source>
        <translation>站点地图索引</translation>
    </message>
    <message>
        <source>another process</source>
        <translation>另一个进程</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>process {pid} on {host}</source>
        <translation>{host} 上的进程 {pid}</translation>
    </message>
    <message>
        <source>process {pid} on {host}, since {since}</source>
        <translation>{host} 上的进程 {pid}，自 {since} 起</translation>
    </message>
    <message>
        <source>Waiting to be fetched.</source>
        <translation>等待抓取。</translation>
    </message>
    <message>
        <source>The host name could not be found.</source>
        <translation>找不到该主机名。</translation>
    </message>
    <message>
        <source>The server refused the connection.</source>
        <translation>服务器拒绝了连接。</translation>
    </message>
    <message>
        <source>The server could not be reached.</source>
        <translation>无法连接到服务器。</translation>
    </message>
    <message>
        <source>A secure connection could not be made.</source>
        <translation>无法建立安全连接。</translation>
    </message>
    <message>
        <source>Only recorded: links of this kind are not followed.</source>
        <translation>仅记录：不跟踪此类链接。</translation>
    </message>
    <message>
        <source>The site&apos;s robots.txt could not be read, so this was not fetched.</source>
        <translation>无法读取该网站的 robots.txt，因此未抓取。</translation>
    </message>
    <message>
        <source>Cancelled by you.</source>
        <translation>已由您取消。</translation>
    </message>
    <message>
        <source>Waiting to be checked.</source>
        <translation>等待检查。</translation>
    </message>
    <message>
        <source>A sitemap, waiting to be read.</source>
        <translation>站点地图，等待读取。</translation>
    </message>
    <message>
        <source>Write the proxy as &apos;http://host:port&apos;, or with https, socks5, socks5h, socks4 or socks4a; a name and password as &apos;http://name:password@host:port&apos;, with %40 for @.</source>
        <translation>请将代理写成 &apos;http://host:port&apos;，也可用 https、socks5、socks5h、socks4 或 socks4a；用户名和密码写成 &apos;http://name:password@host:port&apos;，其中 @ 写作 %40。</translation>
    </message>
    <message>
        <source>{some}, {next}</source>
        <translation>{some}、{next}</translation>
    </message>
    <message>
        <source>{some} and {last}</source>
        <translation>{some}和{last}</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>（无用户名）</translation>
    </message>
    <message>
        <source>the password of {user}</source>
        <translation>{user} 的密码</translation>
    </message>
    <message>
        <source>the cookie {name}</source>
        <translation>Cookie {name}</translation>
    </message>
    <message>
        <source>the header {name}</source>
        <translation>标头 {name}</translation>
    </message>
    <message>
        <source>{secrets} for {origin}</source>
        <translation>{origin} 的{secrets}</translation>
    </message>
    <message>
        <source>{setting} must be between {low:,} and {high:,}.</source>
        <translation>“{setting}”必须在 {low:,} 到 {high:,} 之间。</translation>
    </message>
    <message>
        <source>{name!r} is not a header name; write headers as &apos;Name: value&apos;.</source>
        <translation>{name!r} 不是标头名称，请写成 &apos;Name: value&apos;。</translation>
    </message>
    <message>
        <source>The demo site could not be started; try again.</source>
        <translation>无法启动演示网站，请重试。</translation>
    </message>
    <message>
        <source>it was made by a newer Gossamer; update Gossamer to use it.</source>
        <translation>它由更新版本的 Gossamer 创建，请更新 Gossamer 后使用。</translation>
    </message>
    <message>
        <source>{why}; see docs/settings.md.</source>
        <translation>{why}；请参阅 docs/settings.md。</translation>
    </message>
    <message>
        <source>{path}: {reason}; name a settings file or a project.</source>
        <translation>{path}：{reason}；请指定设置文件或项目。</translation>
    </message>
    <message>
        <source>{path} cannot be deleted ({reason}); close it in other programs, then try again.</source>
        <translation>无法删除 {path}（{reason}）；请在其他程序中关闭后重试。</translation>
    </message>
    <message>
        <source>The disk with {path} is full; free some space.</source>
        <translation>{path} 所在的磁盘已满，请释放空间。</translation>
    </message>
    <message>
        <source>{path} cannot be written; check its permissions or copy it.</source>
        <translation>无法写入 {path}，请检查其权限或复制该文件。</translation>
    </message>
    <message>
        <source>{path} cannot be opened; check its permissions.</source>
        <translation>无法打开 {path}，请检查其权限。</translation>
    </message>
    <message>
        <source>{path} cannot be opened; check its permissions and its folder&apos;s.</source>
        <translation>无法打开 {path}，请检查其权限及所在文件夹的权限。</translation>
    </message>
    <message>
        <source>{path} cannot be read or written; check its disk.</source>
        <translation>无法读写 {path}，请检查其磁盘。</translation>
    </message>
    <message>
        <source>{host} cannot be reached</source>
        <translation>无法连接到 {host}</translation>
    </message>
    <message>
        <source>The host name {host} cannot be found</source>
        <translation>主机名 {host} 无法解析</translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>The site responded to the form with something that is not a page, and set no cookie, so the login needs scripts; log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>网站对表单的响应不是页面，也没有设置 cookie，因此登录需要脚本；请改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>{path} cannot be used: {why}</source>
        <translation>无法使用 {path}：{why}</translation>
    </message>
    <message>
        <source>The profile {name} is built in.</source>
        <translation>方案 {name} 是内置的。</translation>
    </message>
    <message>
        <source>The profile {name} is built in; choose another name.</source>
        <translation>方案 {name} 是内置的；请换一个名称。</translation>
    </message>
    <message>
        <source>{path} cannot be changed ({reason}).</source>
        <translation>无法更改 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>The series file {path} was damaged and was rebuilt from its readable parts and from the projects; the damaged file is now {kept}.</source>
        <translation>系列文件 {path} 已损坏，已根据其中仍可读取的内容和各项目重新生成；损坏的文件现为 {kept}。</translation>
    </message>
    <message>
        <source>The series file {path} cannot be written ({reason}); check its folder.</source>
        <translation>系列文件 {path} 无法写入（{reason}），请检查其所在文件夹。</translation>
    </message>
    <message>
        <source>{folder} is a folder without shards of a crawl; name a project file.</source>
        <translation>{folder} 是一个文件夹，其中没有抓取的分片；请指定项目文件。</translation>
    </message>
    <message>
        <source>{name!r} cannot hold a table; end the file name with {known}.</source>
        <translation>{name!r} 不能保存表格；请让文件名以 {known} 结尾。</translation>
    </message>
    <message>
        <source>The comparison {path} does not exist; compare again.</source>
        <translation>对比文件 {path} 不存在；请重新对比。</translation>
    </message>
    <message>
        <source>{path} is not a comparison; compare again.</source>
        <translation>{path} 不是对比文件；请重新对比。</translation>
    </message>
    <message>
        <source>{path} cannot hold a text this long; crawl again with a lower cap.</source>
        <translation>{path} 无法保存这么长的文本，请降低上限后重新抓取。</translation>
    </message>
    <message>
        <source>{path} was made by a newer Gossamer; update Gossamer to open it.</source>
        <translation>{path} 由更新版本的 Gossamer 创建，请更新 Gossamer 后打开。</translation>
    </message>
    <message>
        <source>{path} has an unknown version ({found}); crawl again.</source>
        <translation>{path} 的版本未知（{found}），请重新抓取。</translation>
    </message>
    <message>
        <source>{path} is a folder, not a project file.</source>
        <translation>{path} 是文件夹，不是项目文件。</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}); check its permissions.</source>
        <translation>无法读取 {path}（{reason}），请检查其权限。</translation>
    </message>
    <message>
        <source>{path} is not a Gossamer project; choose a .gossamer file.</source>
        <translation>{path} 不是 Gossamer 项目，请选择 .gossamer 文件。</translation>
    </message>
    <message>
        <source>The texts of these archives were not kept; to search them, import them again with the setting Full-text search (--full-text-search).</source>
        <translation>这些存档没有保留文本；要搜索文本，请启用“全文搜索”设置（--full-text-search）重新导入。</translation>
    </message>
    <message>
        <source>The settings of this project cannot be read; crawl again.</source>
        <translation>无法读取此项目的设置，请重新抓取。</translation>
    </message>
    <message>
        <source>the text with all letters in one case, for comparing</source>
        <translation>所有字母大小写统一后的文本，用于比较</translation>
    </message>
    <message>
        <source>a part of an address</source>
        <translation>地址的一部分</translation>
    </message>
    <message>
        <source>There is no note with the number {id}.</source>
        <translation>没有编号为 {id} 的备注。</translation>
    </message>
    <message>
        <source>There is no saved filter named {name!r}.</source>
        <translation>没有名为 {name!r} 的已保存筛选。</translation>
    </message>
    <message>
        <source>The series file {path} is damaged; open the series again to rebuild it from its projects.</source>
        <translation>系列文件 {path} 已损坏；请重新打开该系列，以便根据其项目重新生成。</translation>
    </message>
    <message>
        <source>{path} is being crawled by another Gossamer ({holder}); stop that crawl first. If it has ended, delete {lock}.</source>
        <translation>{path} 正由另一个 Gossamer 抓取（{holder}），请先停止该抓取。如果它已结束，请删除 {lock}。</translation>
    </message>
    <message>
        <source>{path} is being crawled by another Gossamer ({holder}); stop that crawl first.</source>
        <translation>{path} 正由另一个 Gossamer 抓取（{holder}），请先停止该抓取。</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}); check its disk.</source>
        <translation>无法读取 {path}（{reason}），请检查其磁盘。</translation>
    </message>
    <message>
        <source>Nothing of a Gossamer project can be read in {path}.</source>
        <translation>在 {path} 中读不到任何 Gossamer 项目的内容。</translation>
    </message>
    <message>
        <source>The settings in {path} cannot be read; crawl again.</source>
        <translation>无法读取 {path} 中的设置，请重新抓取。</translation>
    </message>
    <message>
        <source>The settings in {path} cannot be used: {why}</source>
        <translation>无法使用 {path} 中的设置：{why}</translation>
    </message>
    <message>
        <source>The name of {path} is too long; choose a shorter one.</source>
        <translation>{path} 的名称过长，请换一个较短的名称。</translation>
    </message>
    <message>
        <source>Not a regular expression: {why}.</source>
        <translation>不是正则表达式：{why}。</translation>
    </message>
    <message>
        <source>The port in {text} must be a number from 0 to 65535; correct it.</source>
        <translation>{text} 中的端口必须是 0 到 65535 之间的数字，请更正。</translation>
    </message>
    <message>
        <source>The server&apos;s certificate is not valid.</source>
        <translation>服务器的证书无效。</translation>
    </message>
    <message>
        <source>{number} more</source>
        <translation>另外 {number} 个</translation>
    </message>
    <message>
        <source>Public headers</source>
        <translation>公开请求头</translation>
    </message>
    <message>
        <source>Insecure hosts</source>
        <translation>不检查证书的主机</translation>
    </message>
    <message>
        <source>{path} is larger than 64 MiB; split the list.</source>
        <translation>{path} 大于 64 MiB；请拆分列表。</translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is longer than {most:,} characters; shorten it.</source>
        <translation>“{text}”超过 {most:,} 个字符；请缩短。</translation>
    </message>
    <message>
        <source>Not found.</source>
        <translation>未找到。</translation>
    </message>
    <message>
        <source>Cut at the size limit</source>
        <translation>达到大小上限，已截断</translation>
    </message>
    <message>
        <source>More links than the link limit</source>
        <translation>链接数超过上限</translation>
    </message>
    <message>
        <source>Incomplete response</source>
        <translation>响应不完整</translation>
    </message>
    <message>
        <source>Certificate not valid</source>
        <translation>证书无效</translation>
    </message>
    <message>
        <source>Malformed status line</source>
        <translation>状态行不合规范</translation>
    </message>
    <message>
        <source>No status code, taken as 200</source>
        <translation>没有状态码，按 200 处理</translation>
    </message>
    <message>
        <source>Space before the colon of a header</source>
        <translation>标头的冒号前有空白</translation>
    </message>
    <message>
        <source>Bare carriage return in the headers</source>
        <translation>标头中有单独的回车符</translation>
    </message>
    <message>
        <source>Header of more than 64 KB</source>
        <translation>标头超过 64 KB</translation>
    </message>
    <message>
        <source>More than 1,000 headers</source>
        <translation>标头超过 1,000 个</translation>
    </message>
    <message>
        <source>Duplicate Content-Length</source>
        <translation>Content-Length 重复</translation>
    </message>
    <message>
        <source>Space before a chunk extension</source>
        <translation>分块扩展前有空白</translation>
    </message>
    <message>
        <source>Bare line feeds between chunks</source>
        <translation>分块之间使用单独的换行符</translation>
    </message>
    <message>
        <source>The value of the header {name!r} is longer than {most:,} characters; shorten it.</source>
        <translation>请求头 {name!r} 的值超过 {most:,} 个字符；请缩短。</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>Pace</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>访问</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Redirect limit</source>
        <translation>重定向上限</translation>
    </message>
    <message>
        <source>Depth limit</source>
        <translation>深度上限</translation>
    </message>
    <message>
        <source>Clicks from the start page.</source>
        <translation>距起始页的点击次数。</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Page limit</source>
        <translation>页面上限</translation>
    </message>
    <message>
        <source>Trap limit</source>
        <translation>陷阱上限</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>尝试次数</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Page size</source>
        <translation>页面大小</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source> characters</source>
        <translation> 个字符</translation>
    </message>
    <message>
        <source> per second</source>
        <translation> 次/秒</translation>
    </message>
    <message>
        <source>Per host</source>
        <translation>每主机</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Obey robots.txt</source>
        <translation>遵守 robots.txt</translation>
    </message>
    <message>
        <source>Certificates</source>
        <translation>证书</translation>
    </message>
    <message>
        <source>One per core</source>
        <translation>每核一个</translation>
    </message>
    <message>
        <source>selectolax (fast)</source>
        <translation>selectolax（快速）</translation>
    </message>
    <message>
        <source>Beautiful Soup</source>
        <translation>Beautiful Soup</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>All hosts of the domain</source>
        <translation>该域名下的所有主机</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>External check rate</source>
        <translation>外部检查速率</translation>
    </message>
    <message>
        <source>Per external host.</source>
        <translation>按每个外部主机。</translation>
    </message>
    <message>
        <source>More sitemaps</source>
        <translation>其他站点地图</translation>
    </message>
    <message>
        <source>A helper process of another version of Gossamer was started (protocol {theirs}, not {ours}); close Gossamer and start it again.</source>
        <translation>启动的辅助进程属于另一版本的 Gossamer（协议版本为 {theirs}，而非 {ours}）；请关闭 Gossamer 后重新启动。</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Crawl</source>
        <translation>抓取(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Copy rows for a spreadsheet</source>
        <translation>复制行（供电子表格使用）</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Show in tree</source>
        <translation>在树中显示</translation>
    </message>
    <message>
        <source>Show in table</source>
        <translation>在表格中显示</translation>
    </message>
    <message>
        <source>Redirects</source>
        <translation>重定向</translation>
    </message>
    <message>
        <source>Inlinks and outlinks</source>
        <translation>入链与出链</translation>
    </message>
    <message>
        <source>This whole list</source>
        <translation>整个列表</translation>
    </message>
    <message>
        <source>Crawl again</source>
        <translation>重新抓取</translation>
    </message>
    <message>
        <source>Crawl first</source>
        <translation>优先抓取</translation>
    </message>
    <message>
        <source>Skip for now</source>
        <translation>暂时跳过</translation>
    </message>
    <message>
        <source>Skip for now with all below</source>
        <translation>暂时跳过此项及其下所有内容</translation>
    </message>
    <message>
        <source>Put back in the queue</source>
        <translation>放回队列</translation>
    </message>
    <message>
        <source>Put back in the queue with all below</source>
        <translation>将此项及其下所有内容放回队列</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Exclude this folder</source>
        <translation>排除此目录</translation>
    </message>
    <message>
        <source>Find in tree…</source>
        <translation>在树中查找…</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>Sort by this column</source>
        <translation>按此列排序</translation>
    </message>
    <message>
        <source>Then by this column</source>
        <translation>再按此列排序</translation>
    </message>
    <message>
        <source>Columns…</source>
        <translation>列…</translation>
    </message>
    <message>
        <source>&amp;New crawl</source>
        <translation>新建抓取(&amp;N)</translation>
    </message>
    <message>
        <source>New crawl with t&amp;hese settings</source>
        <translation>用当前设置新建抓取(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Open project…</source>
        <translation>打开项目(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a project…</source>
        <translation>打开项目…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save a copy…</source>
        <translation>保存副本(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Resc&amp;ue a damaged project…</source>
        <translation>抢救损坏的项目(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;Delete project…</source>
        <translation>删除项目(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pause or resume</source>
        <translation>暂停或继续(&amp;P)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pause &amp;now</source>
        <translation>立即暂停(&amp;N)</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Crawl e&amp;rrors again</source>
        <translation>重新抓取错误网址(&amp;R)</translation>
    </message>
    <message>
        <source>Crawl s&amp;ettings…</source>
        <translation>抓取设置(&amp;E)…</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Settings of this crawl</source>
        <translation>此次抓取的设置</translation>
    </message>
    <message>
        <source>De&amp;fault settings…</source>
        <translation>默认设置(&amp;F)…</translation>
    </message>
    <message>
        <source>Crawl the &amp;demo site</source>
        <translation>抓取演示网站(&amp;D)</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>主题(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>T&amp;able</source>
        <translation>表格(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Trees</source>
        <translation>树(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>详情(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Overview and in flight</source>
        <translation>概览与正在抓取(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Open the &amp;log</source>
        <translation>打开日志(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Copy diagnostics</source>
        <translation>复制诊断信息(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;About Gossamer</source>
        <translation>关于 Gossamer(&amp;A)</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Destination</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>处理</translation>
    </message>
    <message>
        <source>Anchor</source>
        <translation>锚文本</translation>
    </message>
    <message>
        <source>Rel</source>
        <translation>Rel</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Fragment</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Status code</source>
        <translation>状态码</translation>
    </message>
    <message>
        <source>Source title</source>
        <translation>来源标题</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>H1</source>
        <translation>标题（H1）</translation>
    </message>
    <message>
        <source>Meta description</source>
        <translation>元描述</translation>
    </message>
    <message>
        <source>Meta robots</source>
        <translation>Robots 元标签</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Word count</source>
        <translation>字数</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Crawl depth</source>
        <translation>抓取深度</translation>
    </message>
    <message>
        <source>First found on</source>
        <translation>首次发现于</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Redirect URL</source>
        <translation>重定向网址</translation>
    </message>
    <message>
        <source>X-Robots-Tag</source>
        <translation>X-Robots-Tag</translation>
    </message>
    <message>
        <source>Content type</source>
        <translation>内容类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Response time</source>
        <translation>响应时间</translation>
    </message>
    <message>
        <source>Last modified</source>
        <translation>最后修改</translation>
    </message>
    <message>
        <source>Crawl timestamp</source>
        <translation>抓取时间</translation>
    </message>
    <message>
        <source>Inlinks</source>
        <translation>入链</translation>
    </message>
    <message>
        <source>Unique inlinks</source>
        <translation>唯一入链</translation>
    </message>
    <message>
        <source>Pages with such links</source>
        <translation>含有此类链接的页面</translation>
    </message>
    <message>
        <source>Outlinks</source>
        <translation>出链</translation>
    </message>
    <message>
        <source>Hops</source>
        <translation>跳数</translation>
    </message>
    <message>
        <source>Chain type</source>
        <translation>链类型</translation>
    </message>
    <message>
        <source>Final status code</source>
        <translation>最终状态码</translation>
    </message>
    <message>
        <source>Refuses crawlers</source>
        <translation>拒绝爬虫</translation>
    </message>
    <message>
        <source>Follow them</source>
        <translation>仍然跟踪</translation>
    </message>
    <message>
        <source>Try https://</source>
        <translation>改用 https://</translation>
    </message>
    <message>
        <source>Blocked by robots.txt</source>
        <translation>被 robots.txt 阻止</translation>
    </message>
    <message>
        <source>Redirects to another site</source>
        <translation>重定向到其他网站</translation>
    </message>
    <message>
        <source>Crawl {target}</source>
        <translation>抓取 {target}</translation>
    </message>
    <message>
        <source>The certificate of {host} is not valid, so nothing was requested.</source>
        <translation>{host} 的证书无效，因此没有发出任何请求。</translation>
    </message>
    <message>
        <source>Does not speak HTTPS</source>
        <translation>不支持 HTTPS</translation>
    </message>
    <message>
        <source>{host} does not speak HTTPS.</source>
        <translation>{host} 不支持 HTTPS。</translation>
    </message>
    <message>
        <source>Try http://</source>
        <translation>改用 http://</translation>
    </message>
    <message>
        <source>Cannot be reached</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Does not work</source>
        <translation>无法访问</translation>
    </message>
    <message>
        <source>Does not work now</source>
        <translation>暂时无法访问</translation>
    </message>
    <message>
        <source>Pages with noindex</source>
        <translation>带 noindex 的页面</translation>
    </message>
    <message>
        <source>In a sitemap, but noindex</source>
        <translation>在站点地图中，但标记为 noindex</translation>
    </message>
    <message>
        <source>In a sitemap, but redirects</source>
        <translation>在站点地图中，但会重定向</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>In a sitemap, but blocked by robots.txt</source>
        <translation>在站点地图中，但被 robots.txt 阻止</translation>
    </message>
    <message>
        <source>Other hosts</source>
        <translation>其他主机</translation>
    </message>
    <message>
        <source>In a sitemap, but on another host</source>
        <translation>在站点地图中，但位于其他主机</translation>
    </message>
    <message>
        <source>URLs not in a sitemap</source>
        <translation>不在站点地图中的网址</translation>
    </message>
    <message>
        <source>In a sitemap, but not linked</source>
        <translation>在站点地图中，但没有链接指向它</translation>
    </message>
    <message>
        <source>session ids of {page}</source>
        <translation>{page} 的会话 ID</translation>
    </message>
    <message>
        <source>orders of parameters in {folder}</source>
        <translation>{folder} 中参数的不同顺序</translation>
    </message>
    <message>
        <source>the folder {folder}</source>
        <translation>目录 {folder}</translation>
    </message>
    <message>
        <source>{first}; {second}</source>
        <translation>{first}；{second}</translation>
    </message>
    <message>
        <source>Contains Canonical</source>
        <translation>有规范网址</translation>
    </message>
    <message>
        <source>The page names a canonical URL, in a &lt;link&gt; element or a Link header.</source>
        <translation>该页面通过 &lt;link&gt; 元素或 Link 标头指定了规范网址。</translation>
    </message>
    <message>
        <source>Search engines take it as a strong hint which of several similar URLs to show.</source>
        <translation>内容相似的网址有多个时，搜索引擎会以它为重要依据，决定显示哪一个。</translation>
    </message>
    <message>
        <source>Nothing to do, if the canonical is the URL that you want people to find.</source>
        <translation>如果规范网址正是您希望用户找到的网址，则无需处理。</translation>
    </message>
    <message>
        <source>Self Referencing</source>
        <translation>指向自身</translation>
    </message>
    <message>
        <source>The page names itself as the canonical URL.</source>
        <translation>该页面将自身指定为规范网址。</translation>
    </message>
    <message>
        <source>This protects it from copies of itself under other URLs, such as those with tracking parameters.</source>
        <translation>这样即使同一内容还有其他网址（例如带跟踪参数的网址），也不会被它们取代。</translation>
    </message>
    <message>
        <source>Nothing to do: this is good practice.</source>
        <translation>无需处理，这是推荐的做法。</translation>
    </message>
    <message>
        <source>Canonicalised</source>
        <translation>规范网址为其他网址</translation>
    </message>
    <message>
        <source>The page names another URL as its canonical.</source>
        <translation>该页面将其他网址指定为规范网址。</translation>
    </message>
    <message>
        <source>It asks search engines to show the other URL instead, so it is unlikely to appear in search results itself.</source>
        <translation>它请求搜索引擎改为显示另一个网址，因此自身很难出现在搜索结果中。</translation>
    </message>
    <message>
        <source>Check that the other page has the same content. If this page should be found, name its own URL as the canonical. If many pages name a wrong host, such as that of a test system, correct their template.</source>
        <translation>请确认另一页面的内容相同。如果希望该页面被找到，请将规范网址改为它自己的网址。如果许多页面指定了错误的主机（例如测试系统的主机），请修正其模板。</translation>
    </message>
    <message>
        <source>The page names no canonical URL, or an empty one.</source>
        <translation>该页面没有指定规范网址，或其值为空。</translation>
    </message>
    <message>
        <source>If the page can be reached under several URLs, search engines choose which one to show, and may choose another than you would.</source>
        <translation>如果同一页面有多个网址，搜索引擎会自行选择显示哪一个，结果可能与您的期望不同。</translation>
    </message>
    <message>
        <source>Add &lt;link rel=&quot;canonical&quot;&gt; with the page&apos;s own absolute URL to its &lt;head&gt;.</source>
        <translation>请在 &lt;head&gt; 中添加 &lt;link rel=&quot;canonical&quot;&gt;，其值为该页面自身的绝对网址。</translation>
    </message>
    <message>
        <source>The page has more than one canonical, in elements or headers.</source>
        <translation>该页面的元素或标头中有多个规范网址。</translation>
    </message>
    <message>
        <source>Even if they agree today, they may differ after the next change, and search engines then ignore them.</source>
        <translation>即使它们现在一致，下次改动后也可能不同，届时搜索引擎会忽略它们。</translation>
    </message>
    <message>
        <source>Keep one. Often a plugin, a second template or a server rule adds the other.</source>
        <translation>请只保留一个。多余的通常由插件、另一个模板或服务器规则添加。</translation>
    </message>
    <message>
        <source>Multiple Conflicting</source>
        <translation>多个且互相矛盾</translation>
    </message>
    <message>
        <source>The page has several canonicals that name different URLs.</source>
        <translation>该页面有多个规范网址，且指向不同的网址。</translation>
    </message>
    <message>
        <source>Search engines cannot tell which one you mean, and are likely to ignore all of them.</source>
        <translation>搜索引擎无法判断您的意图，很可能全部忽略。</translation>
    </message>
    <message>
        <source>Decide on one URL, and remove the other canonicals from the page and from its Link header.</source>
        <translation>请确定一个网址，并从页面和 Link 标头中删除其余的规范网址。</translation>
    </message>
    <message>
        <source>Non-Indexable Canonical</source>
        <translation>规范网址不可索引</translation>
    </message>
    <message>
        <source>The canonical URL cannot be indexed: it redirects, is broken, is blocked by robots.txt, is noindex, or is canonicalised itself.</source>
        <translation>规范网址不可索引：它会重定向、已失效、被 robots.txt 阻止、设有 noindex，或者自身又指定了其他规范网址。</translation>
    </message>
    <message>
        <source>The page asks search engines to show a URL that they cannot show. They may ignore the canonical, or show neither page.</source>
        <translation>该页面请求搜索引擎显示一个无法显示的网址。搜索引擎可能忽略规范网址，也可能两个页面都不显示。</translation>
    </message>
    <message>
        <source>Name an indexable URL that returns status code 200, or make the canonical page indexable.</source>
        <translation>请指定一个状态码为 200 的可索引网址，或让规范网址所指的页面可以索引。</translation>
    </message>
    <message>
        <source>Canonical Is Relative</source>
        <translation>规范网址为相对网址</translation>
    </message>
    <message>
        <source>The canonical is written as a relative URL.</source>
        <translation>规范网址写成了相对网址。</translation>
    </message>
    <message>
        <source>On a copy of the page under another host or scheme, it names the copy instead of the original.</source>
        <translation>如果页面的副本位于其他主机或使用其他协议，它指向的就是副本，而不是原页面。</translation>
    </message>
    <message>
        <source>Write the canonical as an absolute URL, with https:// and the host.</source>
        <translation>请将规范网址写成绝对网址，包含 https:// 和主机名。</translation>
    </message>
    <message>
        <source>Unlinked</source>
        <translation>未被链接</translation>
    </message>
    <message>
        <source>This URL is named as a canonical, but no page links to it.</source>
        <translation>有页面将此网址指定为规范网址，但没有任何页面链接到它。</translation>
    </message>
    <message>
        <source>Visitors cannot reach it by clicks, and search engines take a page without internal links for an unimportant one.</source>
        <translation>访问者无法通过点击到达它，搜索引擎也会认为没有内部链接的页面不重要。</translation>
    </message>
    <message>
        <source>Link to this URL instead of its variants, or correct the canonicals that name it.</source>
        <translation>请链接到此网址而不是它的变体，或更正将它指定为规范网址的页面。</translation>
    </message>
    <message>
        <source>Contains Fragment URL</source>
        <translation>含片段的网址</translation>
    </message>
    <message>
        <source>The canonical has a fragment: the part of a URL from # on.</source>
        <translation>规范网址带有片段，即网址中从 # 开始的部分。</translation>
    </message>
    <message>
        <source>Search engines ignore fragments, so the canonical does not name what it seems to name.</source>
        <translation>搜索引擎会忽略片段，因此规范网址实际指向的与看上去的不同。</translation>
    </message>
    <message>
        <source>Remove the fragment from the canonical.</source>
        <translation>请从规范网址中删除片段。</translation>
    </message>
    <message>
        <source>Invalid Attribute In Annotation</source>
        <translation>含无效属性</translation>
    </message>
    <message>
        <source>The canonical &lt;link&gt; has an hreflang, lang, media or type attribute.</source>
        <translation>规范网址的 &lt;link&gt; 元素带有 hreflang、lang、media 或 type 属性。</translation>
    </message>
    <message>
        <source>Google ignores such a canonical, as it seems to name an alternate version of the page.</source>
        <translation>Google 会忽略这样的规范网址，因为它看上去指向页面的备用版本。</translation>
    </message>
    <message>
        <source>Remove these attributes. Name alternate versions in separate &lt;link rel=&quot;alternate&quot;&gt; elements.</source>
        <translation>请删除这些属性。备用版本请用单独的 &lt;link rel=&quot;alternate&quot;&gt; 元素指定。</translation>
    </message>
    <message>
        <source>A canonical &lt;link&gt; is not in the &lt;head&gt; of the page that browsers build.</source>
        <translation>在浏览器构建的页面中，规范网址的 &lt;link&gt; 元素不在 &lt;head&gt; 内。</translation>
    </message>
    <message>
        <source>Search engines ignore canonicals in the body. An element that is not allowed in &lt;head&gt;, such as &lt;div&gt; or &lt;img&gt;, ends the head, and everything after it is in the body.</source>
        <translation>搜索引擎会忽略正文中的规范网址。&lt;div&gt; 或 &lt;img&gt; 等不允许出现在 &lt;head&gt; 中的元素会结束头部，其后的一切都属于正文。</translation>
    </message>
    <message>
        <source>Move the canonical into &lt;head&gt;, before any element that is not allowed there.</source>
        <translation>请将规范网址移入 &lt;head&gt;，并放在所有不允许出现的元素之前。</translation>
    </message>
    <message>
        <source>Canonical Chain and Loop</source>
        <translation>规范网址链与循环</translation>
    </message>
    <message>
        <source>The canonical names a page that names another URL as its own canonical, or the canonicals lead back to where they began.</source>
        <translation>规范网址所指的页面又将其他网址指定为规范网址，或者这些规范网址最终回到起点。</translation>
    </message>
    <message>
        <source>Each step weakens the hint, and a loop has no original at all. Search engines then choose for themselves.</source>
        <translation>每多一步，提示的作用就弱一分；循环则根本没有原页面，搜索引擎只能自行选择。</translation>
    </message>
    <message>
        <source>Let each page of the chain name the last URL directly, and let that URL name itself.</source>
        <translation>请让链中的每个页面直接指向最后的网址，并让该网址指向自身。</translation>
    </message>
    <message>
        <source>Contains Hreflang</source>
        <translation>有 hreflang</translation>
    </message>
    <message>
        <source>The page names versions of itself in other languages or for other regions.</source>
        <translation>该页面指定了自身的其他语言或地区版本。</translation>
    </message>
    <message>
        <source>With these annotations search engines show each visitor the right version.</source>
        <translation>有了这些标注，搜索引擎就能向每位访问者显示合适的版本。</translation>
    </message>
    <message>
        <source>Nothing to do, if every version names itself and all others.</source>
        <translation>如果每个版本都列出了自身和所有其他版本，则无需处理。</translation>
    </message>
    <message>
        <source>Incorrect Language &amp; Region Codes</source>
        <translation>语言和地区代码有误</translation>
    </message>
    <message>
        <source>An hreflang value is not a language code of ISO 639-1, with or without a region code of ISO 3166-1 Alpha 2.</source>
        <translation>某个 hreflang 值不是 ISO 639-1 语言代码（可带 ISO 3166-1 二位地区代码）。</translation>
    </message>
    <message>
        <source>Search engines ignore versions with an invalid code. A common mistake is en-UK instead of en-GB.</source>
        <translation>搜索引擎会忽略代码无效的版本。常见的错误是将 en-GB 写成 en-UK。</translation>
    </message>
    <message>
        <source>Write a valid code, such as de, de-AT or zh-Hant, or x-default.</source>
        <translation>请使用有效的代码，例如 de、de-AT、zh-Hant 或 x-default。</translation>
    </message>
    <message>
        <source>Non-200 Hreflang URLs</source>
        <translation>hreflang 网址非 200</translation>
    </message>
    <message>
        <source>A URL in the hreflang annotations does not return status code 200.</source>
        <translation>hreflang 标注中的某个网址返回的状态码不是 200。</translation>
    </message>
    <message>
        <source>Search engines cannot show a version that redirects, is blocked or does not exist, and ignore the annotation.</source>
        <translation>搜索引擎无法显示会重定向、被阻止或不存在的版本，因此会忽略该标注。</translation>
    </message>
    <message>
        <source>Name the final URL of each version, and remove versions that no longer exist.</source>
        <translation>请写明每个版本的最终网址，并删除已不存在的版本。</translation>
    </message>
    <message>
        <source>Unlinked Hreflang URLs</source>
        <translation>未被链接的 hreflang 网址</translation>
    </message>
    <message>
        <source>A URL in the hreflang annotations is not linked from any page.</source>
        <translation>没有任何页面链接到 hreflang 标注中的某个网址。</translation>
    </message>
    <message>
        <source>Visitors cannot reach that version by clicks, and search engines find it only through the annotation.</source>
        <translation>访问者无法通过点击到达该版本，搜索引擎也只能通过标注发现它。</translation>
    </message>
    <message>
        <source>Link to it, for example from a language menu.</source>
        <translation>请链接到它，例如在语言菜单中。</translation>
    </message>
    <message>
        <source>Missing Return Links</source>
        <translation>缺少返回链接</translation>
    </message>
    <message>
        <source>A version that this page names in hreflang does not name this page in return.</source>
        <translation>该页面在 hreflang 中指定的某个版本没有指回该页面。</translation>
    </message>
    <message>
        <source>Search engines ignore annotations that the other page does not confirm.</source>
        <translation>搜索引擎会忽略未得到对方页面确认的标注。</translation>
    </message>
    <message>
        <source>Add this page to the hreflang annotations of the other version.</source>
        <translation>请将该页面添加到另一版本的 hreflang 标注中。</translation>
    </message>
    <message>
        <source>Inconsistent Language &amp; Region Return Links</source>
        <translation>返回链接的语言和地区不一致</translation>
    </message>
    <message>
        <source>A version that this page names in hreflang names it in return, but with another language or region code than the page gives itself.</source>
        <translation>该页面在 hreflang 中指定的某个版本指回了该页面，但所用的语言或地区代码与该页面自身的不同。</translation>
    </message>
    <message>
        <source>Search engines cannot tell which of the two codes is right, and may ignore both.</source>
        <translation>搜索引擎无法判断哪个代码正确，可能两个都忽略。</translation>
    </message>
    <message>
        <source>Use the same code for a page in the annotations of all versions.</source>
        <translation>请在所有版本的标注中对同一页面使用相同的代码。</translation>
    </message>
    <message>
        <source>Non-Canonical Return Links</source>
        <translation>返回链接非规范网址</translation>
    </message>
    <message>
        <source>A version that this page names in hreflang is canonicalised to another URL.</source>
        <translation>该页面在 hreflang 中指定的某个版本将其他网址指定为规范网址。</translation>
    </message>
    <message>
        <source>Hreflang and canonical contradict each other about the URL to show, so search engines may ignore the annotation.</source>
        <translation>hreflang 与规范网址在应显示哪个网址上互相矛盾，搜索引擎可能忽略该标注。</translation>
    </message>
    <message>
        <source>Name the canonical URL of each version, and let each version be its own canonical.</source>
        <translation>请写明每个版本的规范网址，并让每个版本以自身为规范网址。</translation>
    </message>
    <message>
        <source>Noindex Return Links</source>
        <translation>返回链接为 noindex</translation>
    </message>
    <message>
        <source>A version that this page names in hreflang is noindex.</source>
        <translation>该页面在 hreflang 中指定的某个版本设有 noindex。</translation>
    </message>
    <message>
        <source>Search engines cannot show that version, so visitors in its language or region do not find it.</source>
        <translation>搜索引擎无法显示该版本，相应语言或地区的访问者就找不到它。</translation>
    </message>
    <message>
        <source>Remove noindex from the version, or the version from the annotations.</source>
        <translation>请删除该版本的 noindex，或从标注中删除该版本。</translation>
    </message>
    <message>
        <source>Multiple Entries</source>
        <translation>多个条目</translation>
    </message>
    <message>
        <source>Missing Self Reference</source>
        <translation>缺少自身</translation>
    </message>
    <message>
        <source>The hreflang annotations of the page do not include the page itself.</source>
        <translation>该页面的 hreflang 标注中没有包含该页面自身。</translation>
    </message>
    <message>
        <source>Each version should list itself as well as all others: this confirms its own language and region.</source>
        <translation>每个版本都应列出自身和所有其他版本，以确认自己的语言和地区。</translation>
    </message>
    <message>
        <source>Add the page&apos;s own URL with its language code.</source>
        <translation>请添加该页面自身的网址及其语言代码。</translation>
    </message>
    <message>
        <source>Not Using Canonical</source>
        <translation>未使用规范网址</translation>
    </message>
    <message>
        <source>The hreflang annotations of the page do not include its canonical URL.</source>
        <translation>该页面的 hreflang 标注中没有包含它的规范网址。</translation>
    </message>
    <message>
        <source>Hreflang and canonical name different URLs for the same page, so search engines may ignore the annotations.</source>
        <translation>hreflang 与规范网址为同一页面指定了不同的网址，搜索引擎可能忽略这些标注。</translation>
    </message>
    <message>
        <source>Use the canonical URL of each page in all annotations.</source>
        <translation>请在所有标注中使用各页面的规范网址。</translation>
    </message>
    <message>
        <source>Missing X-Default</source>
        <translation>缺少 x-default</translation>
    </message>
    <message>
        <source>The hreflang annotations have no x-default: the version for visitors whose language is not listed.</source>
        <translation>hreflang 标注中没有 x-default，即供语言未列出的访问者使用的版本。</translation>
    </message>
    <message>
        <source>For these visitors search engines choose a version themselves.</source>
        <translation>对于这些访问者，搜索引擎会自行选择一个版本。</translation>
    </message>
    <message>
        <source>Name a version for everyone else, such as a page to select the language. This is optional.</source>
        <translation>请为其他访问者指定一个版本，例如语言选择页面。此项可选。</translation>
    </message>
    <message>
        <source>Other pages of the site have hreflang annotations, but this one has none.</source>
        <translation>网站的其他页面有 hreflang 标注，但该页面没有。</translation>
    </message>
    <message>
        <source>If the page exists in other languages, search engines may show visitors the wrong version.</source>
        <translation>如果该页面有其他语言版本，搜索引擎可能向访问者显示错误的版本。</translation>
    </message>
    <message>
        <source>Add annotations if there are other versions. A page in one language needs none.</source>
        <translation>如果有其他版本，请添加标注。只有一种语言的页面不需要。</translation>
    </message>
    <message>
        <source>An hreflang &lt;link&gt; is not in the &lt;head&gt; of the page that browsers build.</source>
        <translation>在浏览器构建的页面中，某个 hreflang 的 &lt;link&gt; 元素不在 &lt;head&gt; 内。</translation>
    </message>
    <message>
        <source>Move the hreflang elements into &lt;head&gt;, before any element that is not allowed there.</source>
        <translation>请将 hreflang 元素移入 &lt;head&gt;，并放在所有不允许出现的元素之前。</translation>
    </message>
    <message>
        <source>Contains Pagination</source>
        <translation>有分页标记</translation>
    </message>
    <message>
        <source>The page has rel=&quot;next&quot; or rel=&quot;prev&quot;, in a &lt;link&gt; element or a Link header.</source>
        <translation>该页面通过 &lt;link&gt; 元素或 Link 标头指定了 rel=&quot;next&quot; 或 rel=&quot;prev&quot;。</translation>
    </message>
    <message>
        <source>Google no longer uses them, but other search engines and browsers may.</source>
        <translation>Google 已不再使用它们，但其他搜索引擎和浏览器可能会用。</translation>
    </message>
    <message>
        <source>Nothing to do, if ordinary links lead to the pages of the series, too.</source>
        <translation>如果系列中的各页面也有普通链接，则无需处理。</translation>
    </message>
    <message>
        <source>First Page</source>
        <translation>第一页</translation>
    </message>
    <message>
        <source>The first page of a series: it has rel=&quot;next&quot;, but no rel=&quot;prev&quot;.</source>
        <translation>系列的第一页：有 rel=&quot;next&quot;，没有 rel=&quot;prev&quot;。</translation>
    </message>
    <message>
        <source>It is usually the page of the series that people should find first.</source>
        <translation>它通常是该系列中最应该先被用户找到的页面。</translation>
    </message>
    <message>
        <source>Nothing to do. There should be one for each series.</source>
        <translation>无需处理。每个系列应只有一个第一页。</translation>
    </message>
    <message>
        <source>Paginated 2+ Pages</source>
        <translation>第 2 页及以后</translation>
    </message>
    <message>
        <source>A later page of a series: it has rel=&quot;prev&quot;.</source>
        <translation>系列中后面的页面：有 rel=&quot;prev&quot;。</translation>
    </message>
    <message>
        <source>Such pages lead crawlers to older items. They seldom need to appear in search results themselves.</source>
        <translation>这类页面引导爬虫找到较早的内容，自身很少需要出现在搜索结果中。</translation>
    </message>
    <message>
        <source>Nothing to do. Give each its own URL, and do not canonicalise it to the first page.</source>
        <translation>无需处理。请让每页有自己的网址，且不要将规范网址设为第一页。</translation>
    </message>
    <message>
        <source>Pagination URL Not In Anchor Tag</source>
        <translation>分页网址不在 &lt;a&gt; 标签中</translation>
    </message>
    <message>
        <source>A URL in rel=&quot;next&quot; or rel=&quot;prev&quot; is not in an &lt;a&gt; link on the page as well.</source>
        <translation>rel=&quot;next&quot; 或 rel=&quot;prev&quot; 中的网址没有同时出现在页面的 &lt;a&gt; 链接中。</translation>
    </message>
    <message>
        <source>Google follows &lt;a&gt; links alone. Without one, it may never find the other page or the items on it.</source>
        <translation>Google 只跟踪 &lt;a&gt; 链接。没有它，另一页及其中的内容可能永远不会被发现。</translation>
    </message>
    <message>
        <source>Add &lt;a href&gt; links to the next and the previous page. Visitors need them, too.</source>
        <translation>请为下一页和上一页添加 &lt;a href&gt; 链接，访问者也需要它们。</translation>
    </message>
    <message>
        <source>Non-200 Pagination URLs</source>
        <translation>分页网址非 200</translation>
    </message>
    <message>
        <source>A URL in rel=&quot;next&quot; or rel=&quot;prev&quot; does not return status code 200.</source>
        <translation>rel=&quot;next&quot; 或 rel=&quot;prev&quot; 中的网址返回的状态码不是 200。</translation>
    </message>
    <message>
        <source>The series is interrupted, so crawlers may not reach the pages behind the gap.</source>
        <translation>系列在此中断，爬虫可能到不了后面的页面。</translation>
    </message>
    <message>
        <source>Correct the URL, or repair the page that it names. The last page of a series has no rel=&quot;next&quot;.</source>
        <translation>请更正该网址，或修复它所指的页面。系列的最后一页没有 rel=&quot;next&quot;。</translation>
    </message>
    <message>
        <source>Unlinked Pagination URLs</source>
        <translation>未被链接的分页网址</translation>
    </message>
    <message>
        <source>This URL is named in rel=&quot;next&quot; or rel=&quot;prev&quot;, but no page links to it.</source>
        <translation>此网址出现在 rel=&quot;next&quot; 或 rel=&quot;prev&quot; 中，但没有任何页面链接到它。</translation>
    </message>
    <message>
        <source>Search engines that ignore pagination markup cannot find the page.</source>
        <translation>忽略分页标记的搜索引擎无法找到该页面。</translation>
    </message>
    <message>
        <source>Link to it with &lt;a href&gt; from other pages of the series.</source>
        <translation>请在系列的其他页面中用 &lt;a href&gt; 链接到它。</translation>
    </message>
    <message>
        <source>Non-Indexable</source>
        <translation>不可索引</translation>
    </message>
    <message>
        <source>The page belongs to a series, but is not indexable.</source>
        <translation>该页面属于某个系列，但不可索引。</translation>
    </message>
    <message>
        <source>Search engines rarely follow the links of such a page in the long run, so items that only it links to may not be found.</source>
        <translation>长期来看，搜索引擎很少跟踪这类页面上的链接，因此只由它链接的内容可能无法被发现。</translation>
    </message>
    <message>
        <source>Make the pages of the series indexable, each with its own URL as the canonical. An exception is a series whose canonical is a page with all items.</source>
        <translation>请让系列中的页面可以索引，并各以自己的网址为规范网址。以“查看全部”页面为规范网址的系列除外。</translation>
    </message>
    <message>
        <source>Multiple Pagination URLs</source>
        <translation>多个分页网址</translation>
    </message>
    <message>
        <source>The page has several rel=&quot;next&quot;, or several rel=&quot;prev&quot;, that name different URLs.</source>
        <translation>该页面有多个 rel=&quot;next&quot; 或多个 rel=&quot;prev&quot;，且指向不同的网址。</translation>
    </message>
    <message>
        <source>It is not clear which page comes next, so the markup may be ignored.</source>
        <translation>无法确定哪一页是下一页，因此这些标记可能被忽略。</translation>
    </message>
    <message>
        <source>Keep one rel=&quot;next&quot; and one rel=&quot;prev&quot;.</source>
        <translation>请只保留一个 rel=&quot;next&quot; 和一个 rel=&quot;prev&quot;。</translation>
    </message>
    <message>
        <source>Pagination Loop</source>
        <translation>分页循环</translation>
    </message>
    <message>
        <source>The series has no end, so crawlers may go round in circles and miss the pages that should follow.</source>
        <translation>系列没有尽头，爬虫可能一直循环，而错过本应在后面的页面。</translation>
    </message>
    <message>
        <source>Sequence Error</source>
        <translation>顺序错误</translation>
    </message>
    <message>
        <source>The page that rel=&quot;next&quot; names does not name this page in its rel=&quot;prev&quot;.</source>
        <translation>rel=&quot;next&quot; 所指的页面没有在 rel=&quot;prev&quot; 中指回该页面。</translation>
    </message>
    <message>
        <source>The two pages contradict each other about their order, so the markup may be ignored.</source>
        <translation>两个页面对顺序的说法互相矛盾，因此这些标记可能被忽略。</translation>
    </message>
    <message>
        <source>Let rel=&quot;prev&quot; of the next page name this page, with exactly the same URL.</source>
        <translation>请让下一页的 rel=&quot;prev&quot; 指向该页面，且网址完全一致。</translation>
    </message>
    <message>
        <source>&amp;Start again</source>
        <translation>重新开始(&amp;S)</translation>
    </message>
    <message>
        <source>Other headings</source>
        <translation>其他标题</translation>
    </message>
    <message>
        <source>The headings after the first two H1 and H2</source>
        <translation>前两个 H1 和前两个 H2 之外的标题</translation>
    </message>
    <message>
        <source>the texts of the other headings among `heading_levels`: of h3 to h6, and of h1 and h2 after the second; one a line, of at most 200 characters; at most 8,000 together; NULL for none</source>
        <translation>`heading_levels` 中其他标题的文字：h3 至 h6 以及第二个之后的 h1 和 h2；每行一个，每个最多 200 个字符，合计最多 8,000 个；没有则为 NULL</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>1 rendered, 2 read as it was when its time had run out; of the others only the HTML is known: 3 crashed, 4 failed, 5 there was no browser, 6 not needed, 7 out of memory</source>
        <translation>1 已渲染，2 超时后按当时的状态读取；其余仅有 HTML：3 崩溃，4 失败，5 没有浏览器，6 不需要渲染，7 内存不足</translation>
    </message>
    <message>
        <source>Clicks from a root; empty where none lead, as to files that pages only load</source>
        <translation>从起始网址算起的点击次数；没有链接可达时为空，例如页面仅加载的文件</translation>
    </message>
    <message>
        <source>{text}</source>
        <translation>{text}</translation>
    </message>
    <message>
        <source>{kind}: {message}</source>
        <translation>{kind}：{message}</translation>
    </message>
    <message>
        <source>{pattern}</source>
        <translation>{pattern}</translation>
    </message>
    <message>
        <source>{robots_txt}</source>
        <translation>{robots_txt}</translation>
    </message>
    <message>
        <source>{host} is a private address</source>
        <translation>{host} 是私有地址</translation>
    </message>
    <message>
        <source>{host} is a link-local address</source>
        <translation>{host} 是链路本地地址</translation>
    </message>
    <message>
        <source>only its first {number:,} bytes were read</source>
        <translation>只读取了前 {number:,} 字节</translation>
    </message>
    <message>
        <source>only the first {number:,} tags were read</source>
        <translation>只读取了前 {number:,} 个标签</translation>
    </message>
    <message>
        <source>only the first {number:,} links were kept</source>
        <translation>只保留了前 {number:,} 个链接</translation>
    </message>
    <message>
        <source>only its first {number:,} entries were read</source>
        <translation>只读取了前 {number:,} 个条目</translation>
    </message>
    <message>
        <source>only its first {number:,} translations were read</source>
        <translation>只读取了前 {number:,} 个译文链接</translation>
    </message>
    <message>
        <source>its compressed data is cut</source>
        <translation>压缩数据不完整</translation>
    </message>
    <message>
        <source>its compressed data is damaged</source>
        <translation>压缩数据已损坏</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>内容为空</translation>
    </message>
    <message>
        <source>it is empty: {why}</source>
        <translation>内容为空：{why}</translation>
    </message>
    <message>
        <source>it is an HTML page</source>
        <translation>这是一个 HTML 页面</translation>
    </message>
    <message>
        <source>it looks like XML, but {why}</source>
        <translation>看起来像 XML，但{why}</translation>
    </message>
    <message>
        <source>has no elements</source>
        <translation>没有任何元素</translation>
    </message>
    <message>
        <source>it declares entities</source>
        <translation>它声明了实体</translation>
    </message>
    <message>
        <source>it has more than {number:,} elements</source>
        <translation>元素超过 {number:,} 个</translation>
    </message>
    <message>
        <source>it has a tag of more than {number:,} bytes</source>
        <translation>有标签超过 {number:,} 字节</translation>
    </message>
    <message>
        <source>it has a text of more than {number:,} characters</source>
        <translation>有文本超过 {number:,} 个字符</translation>
    </message>
    <message>
        <source>it is not well-formed XML: {why}: line {line}, column {column}</source>
        <translation>XML 格式不正确：{why}：第 {line} 行第 {column} 列</translation>
    </message>
    <message>
        <source>syntax error</source>
        <translation>语法错误</translation>
    </message>
    <message>
        <source>no element found</source>
        <translation>找不到元素</translation>
    </message>
    <message>
        <source>not well-formed (invalid token)</source>
        <translation>格式不正确（无效的标记）</translation>
    </message>
    <message>
        <source>unclosed token</source>
        <translation>标记未结束</translation>
    </message>
    <message>
        <source>mismatched tag</source>
        <translation>标签不匹配</translation>
    </message>
    <message>
        <source>duplicate attribute</source>
        <translation>属性重复</translation>
    </message>
    <message>
        <source>junk after document element</source>
        <translation>根元素之后有多余内容</translation>
    </message>
    <message>
        <source>undefined entity</source>
        <translation>未定义的实体</translation>
    </message>
    <message>
        <source>reference to invalid character number</source>
        <translation>引用了无效的字符编号</translation>
    </message>
    <message>
        <source>XML or text declaration not at start of entity</source>
        <translation>XML 声明不在开头</translation>
    </message>
    <message>
        <source>XML declaration not well-formed</source>
        <translation>XML 声明格式不正确</translation>
    </message>
    <message>
        <source>unclosed CDATA section</source>
        <translation>CDATA 段未结束</translation>
    </message>
    <message>
        <source>unbound prefix</source>
        <translation>前缀未绑定</translation>
    </message>
    <message>
        <source>the parser {parser} failed: {message}</source>
        <translation>解析器 {parser} 失败：{message}</translation>
    </message>
    <message>
        <source>{coding}: more than {most} members</source>
        <translation>{coding}：超过 {most} 个分段</translation>
    </message>
    <message>
        <source>{coding}: {why}</source>
        <translation>{coding}：{why}</translation>
    </message>
    <message>
        <source>the data has another format</source>
        <translation>数据是另一种格式</translation>
    </message>
    <message>
        <source>the checksum does not match</source>
        <translation>校验和不符</translation>
    </message>
    <message>
        <source>the data takes too much memory to decompress</source>
        <translation>解压这些数据需要过多内存</translation>
    </message>
    <message>
        <source>the data is damaged</source>
        <translation>数据已损坏</translation>
    </message>
    <message>
        <source>the page worker is being replaced</source>
        <translation>页面进程正在更换</translation>
    </message>
    <message>
        <source>{why} ({address}, port {port})</source>
        <translation>{why}（{address}，端口 {port}）</translation>
    </message>
    <message>
        <source>connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>connection reset by the server</source>
        <translation>连接被服务器重置</translation>
    </message>
    <message>
        <source>connection aborted</source>
        <translation>连接已中止</translation>
    </message>
    <message>
        <source>connection timed out</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>no route to the host</source>
        <translation>没有到主机的路由</translation>
    </message>
    <message>
        <source>network is unreachable</source>
        <translation>网络不可达</translation>
    </message>
    <message>
        <source>network is down</source>
        <translation>网络已断开</translation>
    </message>
    <message>
        <source>too many open files</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>system error {name}: {message}</source>
        <translation>系统错误 {name}：{message}</translation>
    </message>
    <message>
        <source>host name not known</source>
        <translation>主机名无法解析</translation>
    </message>
    <message>
        <source>host name without an address</source>
        <translation>主机名没有地址</translation>
    </message>
    <message>
        <source>not a host name: a part of it is empty or too long</source>
        <translation>不是有效的主机名：其中一段为空或过长</translation>
    </message>
    <message>
        <source>temporary failure of the name server</source>
        <translation>域名服务器暂时故障</translation>
    </message>
    <message>
        <source>failure of the name server</source>
        <translation>域名服务器故障</translation>
    </message>
    <message>
        <source>general failure</source>
        <translation>一般性故障</translation>
    </message>
    <message>
        <source>connection not allowed by its rules</source>
        <translation>其规则不允许此连接</translation>
    </message>
    <message>
        <source>host unreachable</source>
        <translation>主机不可达</translation>
    </message>
    <message>
        <source>TTL expired</source>
        <translation>TTL 已过期</translation>
    </message>
    <message>
        <source>command not supported</source>
        <translation>不支持该命令</translation>
    </message>
    <message>
        <source>address type not supported</source>
        <translation>不支持该地址类型</translation>
    </message>
    <message>
        <source>request rejected or failed</source>
        <translation>请求被拒绝或失败</translation>
    </message>
    <message>
        <source>its reply is malformed</source>
        <translation>其响应格式不正确</translation>
    </message>
    <message>
        <source>certificate has expired</source>
        <translation>证书已过期</translation>
    </message>
    <message>
        <source>certificate is not yet valid</source>
        <translation>证书尚未生效</translation>
    </message>
    <message>
        <source>self-signed certificate</source>
        <translation>自签名证书</translation>
    </message>
    <message>
        <source>self-signed certificate in certificate chain</source>
        <translation>证书链中有自签名证书</translation>
    </message>
    <message>
        <source>unable to get local issuer certificate</source>
        <translation>本机找不到颁发者的证书</translation>
    </message>
    <message>
        <source>unable to verify the first certificate</source>
        <translation>无法验证第一个证书</translation>
    </message>
    <message>
        <source>certificate chain too long</source>
        <translation>证书链过长</translation>
    </message>
    <message>
        <source>certificate revoked</source>
        <translation>证书已被吊销</translation>
    </message>
    <message>
        <source>invalid CA certificate</source>
        <translation>无效的 CA 证书</translation>
    </message>
    <message>
        <source>unsuitable certificate purpose</source>
        <translation>证书用途不符</translation>
    </message>
    <message>
        <source>certificate signature failure</source>
        <translation>证书签名验证失败</translation>
    </message>
    <message>
        <source>certificate key too weak</source>
        <translation>证书密钥过弱</translation>
    </message>
    <message>
        <source>CA certificate key too weak</source>
        <translation>CA 证书密钥过弱</translation>
    </message>
    <message>
        <source>CA signature digest algorithm too weak</source>
        <translation>CA 签名摘要算法过弱</translation>
    </message>
    <message>
        <source>Hostname mismatch, certificate is not valid for &apos;{host}&apos;.</source>
        <translation>主机名不符，证书对“{host}”无效。</translation>
    </message>
    <message>
        <source>IP address mismatch, certificate is not valid for &apos;{host}&apos;.</source>
        <translation>IP 地址不符，证书对“{host}”无效。</translation>
    </message>
    <message>
        <source>wrong version number</source>
        <translation>版本号错误</translation>
    </message>
    <message>
        <source>http request</source>
        <translation>HTTP 请求</translation>
    </message>
    <message>
        <source>unsupported protocol</source>
        <translation>不支持的协议</translation>
    </message>
    <message>
        <source>unexpected eof while reading</source>
        <translation>读取时连接意外结束</translation>
    </message>
    <message>
        <source>dh key too small</source>
        <translation>DH 密钥过短</translation>
    </message>
    <message>
        <source>TLS error: {reason}</source>
        <translation>TLS 错误：{reason}</translation>
    </message>
    <message>
        <source>TLS alert: {alert}</source>
        <translation>TLS 警报：{alert}</translation>
    </message>
    <message>
        <source>handshake failure</source>
        <translation>握手失败</translation>
    </message>
    <message>
        <source>protocol version</source>
        <translation>协议版本不符</translation>
    </message>
    <message>
        <source>unrecognized name</source>
        <translation>无法识别的主机名</translation>
    </message>
    <message>
        <source>internal error</source>
        <translation>内部错误</translation>
    </message>
    <message>
        <source>access denied</source>
        <translation>拒绝访问</translation>
    </message>
    <message>
        <source>certificate required</source>
        <translation>需要证书</translation>
    </message>
    <message>
        <source>insufficient security</source>
        <translation>安全性不足</translation>
    </message>
    <message>
        <source>illegal parameter</source>
        <translation>非法参数</translation>
    </message>
    <message>
        <source>decode error</source>
        <translation>解码错误</translation>
    </message>
    <message>
        <source>no status line</source>
        <translation>没有状态行</translation>
    </message>
    <message>
        <source>a status of {status}</source>
        <translation>状态码为 {status}</translation>
    </message>
    <message>
        <source>a status of {digits} digits</source>
        <translation>状态码有 {digits} 位数字</translation>
    </message>
    <message>
        <source>more than {most} bytes of headers</source>
        <translation>响应头超过 {most} 字节</translation>
    </message>
    <message>
        <source>a header of more than {most} bytes</source>
        <translation>有响应头字段超过 {most} 字节</translation>
    </message>
    <message>
        <source>more than {most} headers</source>
        <translation>响应头字段超过 {most} 个</translation>
    </message>
    <message>
        <source>Content-Length headers that differ</source>
        <translation>多个 Content-Length 的值不一致</translation>
    </message>
    <message>
        <source>a line of more than {size} KiB between chunks</source>
        <translation>分块之间有超过 {size} KiB 的行</translation>
    </message>
    <message>
        <source>trailers of more than {size} KiB</source>
        <translation>尾部字段超过 {size} KiB</translation>
    </message>
    <message>
        <source>the body ended before its last chunk</source>
        <translation>正文在最后一个分块之前就结束了</translation>
    </message>
    <message>
        <source>malformed: {message}</source>
        <translation>格式不正确：{message}</translation>
    </message>
    <message>
        <source>Discovery</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>正在抓取</translation>
    </message>
    <message>
        <source>Panel&amp;s</source>
        <translation>面板(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Paused: {failed} of the last {seen} requests failed, mostly with status {status}. {reason} Check the connection or crawl more slowly, then resume.</source>
        <translation>已暂停：最近 {seen} 个响应中有 {failed} 个失败，多数状态码为 {status}。{reason}请检查网络连接，或放慢抓取速度，然后继续。</translation>
    </message>
    <message>
        <source>Paused: {failed} of the last {seen} requests failed. Mostly: {reason} Check the connection or crawl more slowly, then resume.</source>
        <translation>已暂停：最近 {seen} 个响应中有 {failed} 个失败。多数原因：{reason}请检查网络连接，或放慢抓取速度，然后继续。</translation>
    </message>
    <message>
        <source>{host} closes the connection</source>
        <translation>{host} 中断了连接</translation>
    </message>
    <message>
        <source>{host} does not respond</source>
        <translation>{host} 没有响应</translation>
    </message>
    <message>
        <source>The folder {folder} does not exist; create it first.</source>
        <translation>文件夹 {folder} 不存在，请先创建。</translation>
    </message>
    <message>
        <source>The folder {folder} is not writable; choose another one.</source>
        <translation>无法写入文件夹 {folder}，请选择其他位置。</translation>
    </message>
    <message>
        <source>{name!r} has an unknown format; end the file name with {known}.</source>
        <translation>{name!r} 的格式未知，请以 {known} 作为文件名结尾。</translation>
    </message>
    <message>
        <source>The report is a document, not a table; end its file name with .html.</source>
        <translation>报告是文档而非表格，请以 .html 作为文件名结尾。</translation>
    </message>
    <message>
        <source>A {suffix} file can only hold the view {only}.</source>
        <translation>以 {suffix} 结尾的文件只能保存视图 {only}。</translation>
    </message>
    <message>
        <source>A {suffix} file has no columns to choose.</source>
        <translation>以 {suffix} 结尾的文件没有可选的列。</translation>
    </message>
    <message>
        <source>The report covers the whole crawl; remove the filter.</source>
        <translation>报告涵盖整个抓取，请不要使用筛选。</translation>
    </message>
    <message>
        <source>Only .csv files have a delimiter.</source>
        <translation>只有以 .csv 结尾的文件才能选择分隔符。</translation>
    </message>
    <message>
        <source>Only .csv and .tsv files can have a byte order mark.</source>
        <translation>只有以 .csv 或 .tsv 结尾的文件才能带有字节顺序标记。</translation>
    </message>
    <message>
        <source>{path} cannot be replaced; if it is open in another program, close it there, then export again.</source>
        <translation>无法替换 {path}；如果其他程序打开了该文件，请先关闭，然后重新导出。</translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason}); choose another location.</source>
        <translation>无法写入 {path}（{reason}），请选择其他位置。</translation>
    </message>
    <message>
        <source>{sheet} has no column {name!r}; its columns are {known}.</source>
        <translation>{sheet} 中没有列 {name!r}，可用的列：{known}。</translation>
    </message>
    <message>
        <source>requested again with the cookies set by a redirect</source>
        <translation>已带上重定向所设置的 Cookie 重新请求</translation>
    </message>
    <message>
        <source>{robots_txt} returned {status}</source>
        <translation>{robots_txt} 返回状态码 {status}</translation>
    </message>
    <message>
        <source>less than {least} bytes per second</source>
        <translation>每秒不足 {least} 字节</translation>
    </message>
    <message>
        <source>no complete response within {seconds} s</source>
        <translation>{seconds} 秒内未收到完整响应</translation>
    </message>
    <message>
        <source>the connection closed without a response</source>
        <translation>连接在收到响应前就已断开</translation>
    </message>
    <message>
        <source>the connection closed within the headers</source>
        <translation>连接在响应头传输途中断开</translation>
    </message>
    <message>
        <source>the page worker exited</source>
        <translation>页面进程已结束</translation>
    </message>
    <message>
        <source>the page worker hung and was killed</source>
        <translation>页面进程卡住，已被强制结束</translation>
    </message>
    <message>
        <source>A header has no colon; write headers as &apos;Name: value&apos;.</source>
        <translation>某个标头缺少冒号，请写成 &apos;Name: value&apos;。</translation>
    </message>
    <message>
        <source>The crawl stopped because of an error in Gossamer; its results are safe. Press Resume to continue, and see the log for details.</source>
        <translation>由于 Gossamer 自身的错误，抓取已停止；已抓取的内容是安全的：按“继续”即可继续抓取，详情请见日志。</translation>
    </message>
    <message>
        <source>The page workers exit as soon as they start; see the log, and free some memory or reinstall Gossamer. The results are safe.</source>
        <translation>读取页面的进程一启动就结束；请查看日志，并释放内存或重新安装 Gossamer。已抓取的内容是安全的。</translation>
    </message>
    <message>
        <source>Paused: the disk with {path} does not respond. Check its connection.</source>
        <translation>已暂停：{path} 所在的磁盘没有响应。请检查其连接。</translation>
    </message>
    <message>
        <source>A helper process exited while starting (exit code {code}); see the log, and reinstall Gossamer if this persists.</source>
        <translation>辅助进程在启动时结束（退出代码 {code}）；请查看日志，如果问题持续存在，请重新安装 Gossamer。</translation>
    </message>
    <message>
        <source>{why}; retrying now (attempt {number} of {most}).</source>
        <translation>{why}；正在重试（第 {number} 次，共 {most} 次）。</translation>
    </message>
    <message>
        <source>{why}; retrying in {seconds} s (attempt {number} of {most}).</source>
        <translation>{why}；{seconds} 秒后重试（第 {number} 次，共 {most} 次）。</translation>
    </message>
    <message>
        <source>A page, fetched and parsed.</source>
        <translation>页面，已抓取并解析。</translation>
    </message>
    <message>
        <source>A file other than a web page; its URL was checked, its content not stored.</source>
        <translation>非网页文件；已检查其网址，未保留内容。</translation>
    </message>
    <message>
        <source>Redirects to another URL.</source>
        <translation>重定向到另一个网址。</translation>
    </message>
    <message>
        <source>Redirects, but the redirect limit is reached.</source>
        <translation>继续重定向，但已达到重定向上限。</translation>
    </message>
    <message>
        <source>Redirects without a Location.</source>
        <translation>重定向，但未说明目标。</translation>
    </message>
    <message>
        <source>Redirects to a malformed URL.</source>
        <translation>重定向到的目标不是网址。</translation>
    </message>
    <message>
        <source>Redirects to a URL outside the scope of this crawl.</source>
        <translation>重定向到此次抓取范围之外的网址。</translation>
    </message>
    <message>
        <source>The server failed to handle the request.</source>
        <translation>服务器在响应时出错。</translation>
    </message>
    <message>
        <source>The server returned an unexpected status code.</source>
        <translation>服务器返回了在此没有意义的状态码。</translation>
    </message>
    <message>
        <source>The page was received, but could not be parsed; see the log for details.</source>
        <translation>页面已收到，但解析失败；详情请见日志。</translation>
    </message>
    <message>
        <source>Checked: the URL works. Its content was not read.</source>
        <translation>已检查：网址正常。未读取其内容。</translation>
    </message>
    <message>
        <source>The server returned a bot challenge instead of the page.</source>
        <translation>服务器显示的是人机验证，而不是页面。</translation>
    </message>
    <message>
        <source>The server closed the connection before it responded.</source>
        <translation>服务器在响应之前关闭了连接。</translation>
    </message>
    <message>
        <source>The server did not respond in time.</source>
        <translation>服务器没有及时响应。</translation>
    </message>
    <message>
        <source>The response was too slow and was abandoned.</source>
        <translation>响应过慢，已放弃。</translation>
    </message>
    <message>
        <source>The response violates the HTTP standard.</source>
        <translation>服务器的响应不符合 HTTP 标准。</translation>
    </message>
    <message>
        <source>The response is compressed, and its compressed data is corrupt.</source>
        <translation>响应经过压缩，且压缩数据已损坏。</translation>
    </message>
    <message>
        <source>The process that parsed this page crashed more than once.</source>
        <translation>读取此页面的进程多次意外结束。</translation>
    </message>
    <message>
        <source>An unexpected error occurred; see the log for details.</source>
        <translation>此处发生了意外错误；详情请见日志。</translation>
    </message>
    <message>
        <source>Out of scope: another host.</source>
        <translation>不在抓取范围内：属于其他主机。</translation>
    </message>
    <message>
        <source>Matches an exclude pattern.</source>
        <translation>被排除规则略过。</translation>
    </message>
    <message>
        <source>Matches no include pattern.</source>
        <translation>已略过：不匹配任何包含规则。</translation>
    </message>
    <message>
        <source>Deeper than the depth limit.</source>
        <translation>已略过：超过深度上限。</translation>
    </message>
    <message>
        <source>Not an HTTP or HTTPS URL.</source>
        <translation>不是网页地址（http 或 https）。</translation>
    </message>
    <message>
        <source>Not a well-formed URL.</source>
        <translation>网址格式不正确。</translation>
    </message>
    <message>
        <source>The URL is longer than the limit.</source>
        <translation>已略过：网址超过长度上限。</translation>
    </message>
    <message>
        <source>Disallowed by the site&apos;s robots.txt.</source>
        <translation>该网站的 robots.txt 要求爬虫不要抓取此网址。</translation>
    </message>
    <message>
        <source>Not fetched: beyond the redirect limit.</source>
        <translation>未抓取：超出重定向上限。</translation>
    </message>
    <message>
        <source>The host name resolves to a private IP address; not requested.</source>
        <translation>该主机名指向内网，未发出请求。</translation>
    </message>
    <message>
        <source>All links to this URL are nofollow.</source>
        <translation>仅有 nofollow 链接指向它，即要求爬虫不要跟踪。</translation>
    </message>
    <message>
        <source>Not fetched: the site seems to generate URLs of this kind endlessly.</source>
        <translation>已略过：该网站似乎会无限生成此类网址。</translation>
    </message>
    <message>
        <source>There is no sitemap at this default location.</source>
        <translation>站点地图的常用位置没有站点地图。</translation>
    </message>
    <message>
        <source>Parts of the site, defined by conditions on columns. A URL is in the first segment whose condition it meets.</source>
        <translation>用列的条件划分网站的各个部分。以第一个满足条件的分区为准。</translation>
    </message>
    <message>
        <source>SOCKS4 does not support passwords; remove it, or use socks5 or socks5h.</source>
        <translation>SOCKS4 代理不支持密码；请去掉密码，或使用 socks5 或 socks5h。</translation>
    </message>
    <message>
        <source>SOCKS user names and passwords are limited to 255 ASCII characters; use a shorter one.</source>
        <translation>SOCKS 代理的用户名和密码最多为 255 个 ASCII 字符，请换用其他用户名或密码。</translation>
    </message>
    <message>
        <source>A cookie has no name or no &apos;=&apos;; write cookies as &apos;name=value&apos;.</source>
        <translation>某个 Cookie 缺少名称或 &apos;=&apos;，请写成 &apos;name=value&apos;。</translation>
    </message>
    <message>
        <source>A cookie contains a semicolon or a control character; remove it.</source>
        <translation>某个 Cookie 含有分号或控制字符，请删除。</translation>
    </message>
    <message>
        <source>A user name cannot contain a colon; correct it.</source>
        <translation>用户名不能含有冒号，请更正。</translation>
    </message>
    <message>
        <source>Enter the URL of a website to crawl.</source>
        <translation>请输入要抓取的网站网址。</translation>
    </message>
    <message>
        <source>{kind!r} is not a link type; the types are {known}.</source>
        <translation>{kind!r} 不是链接种类，可用的种类：{known}。</translation>
    </message>
    <message>
        <source>The value of the header {name!r} contains a control character; remove it.</source>
        <translation>标头 {name!r} 的值含有控制字符，请删除。</translation>
    </message>
    <message>
        <source>it has already been applied to the URLs found so far</source>
        <translation>它已应用于目前已发现的网址</translation>
    </message>
    <message>
        <source>some pages have already been parsed with the old value</source>
        <translation>已解析的页面是按原来的方式解析的</translation>
    </message>
    <message>
        <source>{setting} cannot change once a crawl has started: {why}; start a new crawl, for example with &apos;gossamer crawl --settings FILE&apos;.</source>
        <translation>抓取开始后不能更改“{setting}”：{why}；请开始新的抓取，例如使用 &apos;gossamer crawl --settings FILE&apos;。</translation>
    </message>
    <message>
        <source>The inspector process exited; try again.</source>
        <translation>查看页面的进程已结束，请重试。</translation>
    </message>
    <message>
        <source>This selector took longer than {seconds} s; use a simpler one.</source>
        <translation>此规则在 {seconds} 秒内未能完成，请写得更简单些。</translation>
    </message>
    <message>
        <source>The crawl stopped because its process exited; its results are safe. Press Resume to continue.</source>
        <translation>抓取进程已结束，抓取随之停止；已抓取的内容是安全的。按“继续”即可继续抓取。</translation>
    </message>
    <message>
        <source>The system keyring is missing or locked, so what is saved there stays; unlock it and try again.</source>
        <translation>无法打开系统密钥环：不存在密钥环或已锁定，因此其中已保存的内容仍会保留；请解锁后重试。</translation>
    </message>
    <message>
        <source>{path} is not a settings file: it is not UTF-8 text.</source>
        <translation>{path} 不是设置文件：它不是 UTF-8 文本。</translation>
    </message>
    <message>
        <source>{path} is not a settings file: {why}</source>
        <translation>{path} 不是设置文件：{why}</translation>
    </message>
    <message>
        <source>{path} already exists; choose another name.</source>
        <translation>{path} 已存在，请换一个名称。</translation>
    </message>
    <message>
        <source>{path} is damaged; use a backup, or rescue what is readable with &apos;gossamer rescue FILE -o NEW&apos;.</source>
        <translation>{path} 已损坏；请使用其副本，或用 &apos;gossamer rescue FILE -o NEW&apos; 保存可读取的内容。</translation>
    </message>
    <message>
        <source>{path} is open in another program; close it there, then try again.</source>
        <translation>其他程序正在使用 {path}，请在其中关闭后重试。</translation>
    </message>
    <message>
        <source>Paused: no host responds any more, not even {site}. Check the connection.</source>
        <translation>已暂停：所有主机都不再响应，{site} 也是如此。请检查网络连接。</translation>
    </message>
    <message>
        <source>You skipped this for now: not fetched until you put it back in the queue.</source>
        <translation>您已暂时跳过：放回队列之前不会抓取。</translation>
    </message>
    <message>
        <source>Max depth can only be raised once a crawl has started, because deeper pages may already be crawled; start a new crawl, for example with &apos;gossamer crawl --settings FILE&apos;.</source>
        <translation>抓取开始后，深度上限只能调高：更深的内容可能已被抓取；请开始新的抓取，例如使用 &apos;gossamer crawl --settings FILE&apos;。</translation>
    </message>
    <message>
        <source>Exclude patterns can only be added once a crawl has started, because excluded URLs were not queued; start a new crawl, for example with &apos;gossamer crawl --settings FILE&apos;.</source>
        <translation>抓取开始后只能添加排除规则：被排除的内容没有保留；请开始新的抓取，例如使用 &apos;gossamer crawl --settings FILE&apos;。</translation>
    </message>
    <message>
        <source>The profile folder {folder} cannot be read ({reason}).</source>
        <translation>无法读取方案的文件夹 {folder}（{reason}）。</translation>
    </message>
    <message>
        <source>A profile named {name} already exists.</source>
        <translation>已有名为 {name} 的方案。</translation>
    </message>
    <message>
        <source>The profile folder {folder} cannot be created ({reason}).</source>
        <translation>无法创建方案的文件夹 {folder}（{reason}）。</translation>
    </message>
    <message>
        <source>The defaults cannot be renamed.</source>
        <translation>默认设置不能改名。</translation>
    </message>
    <message>
        <source>There is no profile named {name!r}; the profiles are {known}.</source>
        <translation>没有名为 {name!r} 的方案；现有的是 {known}。</translation>
    </message>
    <message>
        <source>{name} is reserved; choose another profile name.</source>
        <translation>方案不能叫 {name}；请换一个名称。</translation>
    </message>
    <message>
        <source>{name!r} is not a valid profile name; use at most {most} letters, digits, spaces and hyphens.</source>
        <translation>方案不能叫 {name!r}；请使用最多 {most} 个字母、数字、空格和连字符。</translation>
    </message>
    <message>
        <source>The crawl was cancelled, but its process could not record that in the project and was killed; its earlier results are safe. Check the project&apos;s disk.</source>
        <translation>抓取已取消，但其进程无法将此写入项目，已被结束；此前已抓取的内容是安全的。请检查项目所在的磁盘。</translation>
    </message>
    <message>
        <source>The crawl process hung and was killed; its results are safe. Press Resume to continue.</source>
        <translation>抓取进程失去响应，已被结束；已抓取的内容是安全的。按“继续”即可继续抓取。</translation>
    </message>
    <message>
        <source>The crawl process hung and was killed; its results are safe. It is being restarted.</source>
        <translation>抓取进程失去响应，已被结束；已抓取的内容是安全的。正在重新启动。</translation>
    </message>
    <message>
        <source>{path} was made by an older Gossamer; run &apos;gossamer info&apos; to upgrade it.</source>
        <translation>{path} 由旧版本的 Gossamer 创建，运行 &apos;gossamer info&apos; 可将其更新。</translation>
    </message>
    <message>
        <source>{path} is not a file; choose a .gossamer file.</source>
        <translation>{path} 不是文件，请选择 .gossamer 文件。</translation>
    </message>
    <message>
        <source>The project file {path} does not exist; check the path.</source>
        <translation>项目文件 {path} 不存在，请检查路径。</translation>
    </message>
    <message>
        <source>{path} was modified by another program; use an earlier copy.</source>
        <translation>{path} 已被其他程序修改，请使用修改前的副本。</translation>
    </message>
    <message>
        <source>{path} was modified by another program, which added the {kind} {name!r}; remove it, or use an earlier copy.</source>
        <translation>{path} 已被其他程序修改，添加了 {kind} {name!r}；请在该程序中删除，或使用修改前的副本。</translation>
    </message>
    <message>
        <source>The folder of {path} is not writable and the project was not closed; copy it together with {log} to another folder.</source>
        <translation>无法写入 {path} 所在的文件夹，且项目未正常关闭；请将其与 {log} 一同复制到其他文件夹。</translation>
    </message>
    <message>
        <source>The folder of {path} is not writable; check its permissions.</source>
        <translation>无法写入 {path} 所在的文件夹，请检查其权限。</translation>
    </message>
    <message>
        <source>{path} cannot be upgraded ({reason}); copy it to another folder.</source>
        <translation>无法更新 {path}（{reason}），请将其复制到其他文件夹。</translation>
    </message>
    <message>
        <source>{path} was replaced by another file; restore it.</source>
        <translation>另一个文件占据了 {path} 的位置，请将原文件放回。</translation>
    </message>
    <message>
        <source>{path} is missing; put it back, or reconnect its disk.</source>
        <translation>{path} 已不在原处，请将其放回，或重新连接其磁盘。</translation>
    </message>
    <message>
        <source>The name {path} has characters in an unknown encoding; rename the file or folder.</source>
        <translation>名称 {path} 中有无法按任何编码解释的字符，请重命名该文件或文件夹。</translation>
    </message>
    <message>
        <source>{folder} is not a folder; choose another location.</source>
        <translation>{folder} 不是文件夹，请选择其他位置。</translation>
    </message>
    <message>
        <source>This expression takes too long; avoid nested repetitions.</source>
        <translation>此表达式耗时过长，请避免重复嵌套。</translation>
    </message>
    <message>
        <source>An expression can have at most {most} characters.</source>
        <translation>表达式最多 {most} 个字符。</translation>
    </message>
    <message>
        <source>The pattern {pattern} is too long to check whether it could take forever on some URLs; divide it into several.</source>
        <translation>规则 {pattern} 太长，无法检查它在某些网址上是否可能永远无法完成；请把它拆成几条规则。</translation>
    </message>
    <message>
        <source>{text!r} maps no addresses; write two that begin with http:// or https://, with = between them, such as https://staging.example.com/=https://www.example.com/.</source>
        <translation>{text!r} 没有映射任何网址；请写两个以 http:// 或 https:// 开头、中间用 = 连接的网址，例如 https://staging.example.com/=https://www.example.com/。</translation>
    </message>
    <message>
        <source>Enter the URL of a website, such as https://example.com.</source>
        <translation>请输入网站的网址，例如 https://example.com。</translation>
    </message>
    <message>
        <source>Enter one URL at a time: this text has more than one line.</source>
        <translation>一次请只输入一个网址：这段文字不止一行。</translation>
    </message>
    <message>
        <source>Only http and https URLs can be crawled, not {scheme}: URLs; enter one such as https://example.com.</source>
        <translation>只能抓取 http 和 https 网址，不能抓取 {scheme}: 网址；请输入类似 https://example.com 的网址。</translation>
    </message>
    <message>
        <source>{text} has no host; enter a full URL, such as https://example.com/page.</source>
        <translation>{text} 没有主机名，请输入完整网址，例如 https://example.com/page。</translation>
    </message>
    <message>
        <source>{text} has no host; enter a URL such as https://example.com.</source>
        <translation>{text} 没有主机名，请输入类似 https://example.com 的网址。</translation>
    </message>
    <message>
        <source>{text} is not a URL: {host} is not a valid host; enter a URL such as https://example.com.</source>
        <translation>{text} 不是网址：{host} 不能作为主机名；请输入类似 https://example.com 的网址。</translation>
    </message>
    <message>
        <source>The pattern {pattern} is not a regular expression: {why}; correct or remove it.</source>
        <translation>规则 {pattern} 不是正则表达式：{why}；请更正或删除。</translation>
    </message>
    <message>
        <source>The pattern {pattern} could take forever on some URLs: it has a repetition that can match the same text in several ways, such as (a+)+; avoid nested repetitions.</source>
        <translation>规则 {pattern} 在某些网址上可能永远无法完成：它重复的内容能以多种方式匹配同一文本，例如 (a+)+；请避免在重复中再嵌套重复。</translation>
    </message>
    <message>
        <source>A file is being saved. Change the language afterwards.</source>
        <translation>正在保存文件，请在完成后更改语言。</translation>
    </message>
    <message>
        <source>Proxy-Authorization is for the proxy only; do not make it a public header.</source>
        <translation>Proxy-Authorization 只应发给代理，请不要把它作为公开请求头输入。</translation>
    </message>
    <message>
        <source>The crawl starts at {sites} sites, and a password, cookie or header is sent to one of them only: name that site, as in --auth {origin}=USER (likewise for --cookie and --header), or crawl it on its own. Use --public-header for headers that every server may see.</source>
        <translation>此次抓取从 {sites} 个网站开始，而密码、Cookie 或请求头只属于其中一个：请指明网站，例如 --auth {origin}=USER，--cookie 和 --header 同理；或者单独抓取该网站。任何人都可以看到的内容请用公开请求头。</translation>
    </message>
    <message>
        <source>{path} was replaced by another project, which was not touched; restore the crawled one to continue.</source>
        <translation>{path} 的位置现在是另一个项目，它未被改动；要继续，请把正在抓取的那个项目放回原处。</translation>
    </message>
    <message>
        <source>{path} cannot be used: {beside} next to it is not a file; delete that.</source>
        <translation>无法使用 {path}：它旁边的 {beside} 不是文件；请将其删除。</translation>
    </message>
    <message>
        <source>{path} has several hard links, so it can only be read: delete the other links, or use a copy.</source>
        <translation>{path} 是同一文件的多个名称之一（硬链接），只能读取：请删除其他名称，或使用它的副本。</translation>
    </message>
    <message>
        <source>{path} is mounted as a single file, so it can only be read: mount its folder instead.</source>
        <translation>{path} 在此处作为单个文件挂载，只能读取：请挂载它所在的文件夹。</translation>
    </message>
    <message>
        <source>There are no pages to list in a sitemap, so no file was written.</source>
        <translation>没有可列入站点地图的页面，因此没有写入文件。</translation>
    </message>
    <message>
        <source>No page qualifies for the sitemap, so no file was written; left out: {rules}.</source>
        <translation>没有页面可以列入站点地图，因此没有写入文件；排除的有：{rules}。</translation>
    </message>
    <message>
        <source>This export needs several files; name one with -o instead of &apos;-&apos;.</source>
        <translation>这需要多个文件；请用 -o 指定文件名，而不是“-”。</translation>
    </message>
    <message>
        <source>The view {view} has no facets; use the view all.</source>
        <translation>视图 {view} 的行没有可筛选的属性；请使用 all。</translation>
    </message>
    <message>
        <source>The project folder {folder} cannot be created ({reason}); create it yourself, or save the project elsewhere.</source>
        <translation>无法创建项目文件夹 {folder}（{reason}）；请自行创建，或将项目保存到别处。</translation>
    </message>
    <message>
        <source>Redirect loop: this URL never leads to a page.</source>
        <translation>陷入循环重定向：此网址永远到不了任何页面。</translation>
    </message>
    <message>
        <source>The server does not speak HTTPS on this port.</source>
        <translation>服务器在此端口不支持 HTTPS。</translation>
    </message>
    <message>
        <source>{server!r} is not a server; write it as HOST:PORT.</source>
        <translation>{server!r} 不是服务器；请写成 HOST:PORT。</translation>
    </message>
    <message>
        <source>This crawl sends all requests through the proxy {proxy}.</source>
        <translation>此次抓取的所有请求都经过代理 {proxy}。</translation>
    </message>
    <message>
        <source>This crawl sends these headers to every server: {names}.</source>
        <translation>在此次抓取中，每个服务器都会收到这些请求头：{names}。</translation>
    </message>
    <message>
        <source>This crawl ignores robots.txt.</source>
        <translation>此次抓取不遵守 robots.txt。</translation>
    </message>
    <message>
        <source>This crawl does not check the certificates of {servers}.</source>
        <translation>在此次抓取中不检查 {servers} 的证书。</translation>
    </message>
    <message>
        <source>certificate exceptions are per crawl; use --insecure.</source>
        <translation>对证书的信任须针对每次抓取用 --insecure 给出。</translation>
    </message>
    <message>
        <source>{server!r} is not an HTTPS server; write HOST or HOST:PORT.</source>
        <translation>{server!r} 不是支持 HTTPS 的服务器；请写成 HOST 或 HOST:PORT。</translation>
    </message>
    <message>
        <source>The response broke off; only the part of the page received was parsed.</source>
        <translation>页面传输中断，只收到一部分；已读取收到的部分。</translation>
    </message>
    <message>
        <source>The response broke off; only a part of the file was received.</source>
        <translation>文件传输中断，只收到一部分；已读取收到的部分。</translation>
    </message>
    <message>
        <source>{beside} is left over from another project of that name; move it to that project, or delete it.</source>
        <translation>{beside} 是另一个同名项目留下的；请把它移到那个项目旁边，或将其删除。</translation>
    </message>
    <message>
        <source>{path} is not a text file; save the URLs as plain text.</source>
        <translation>{path} 不是文本文件；请将网址保存为纯文本。</translation>
    </message>
    <message>
        <source>{text} is not a URL; write one URL per line, such as https://example.com/page.</source>
        <translation>{text} 不是网址；请每行写一个网址，例如 https://example.com/page。</translation>
    </message>
    <message>
        <source>Looks like an error page, although the status code says success (soft 404).</source>
        <translation>看起来是错误页，尽管服务器表示一切正常。</translation>
    </message>
    <message>
        <source>The proxy for {host} does not work</source>
        <translation>{host} 前的代理无法工作</translation>
    </message>
    <message>
        <source>The proxy failed or refused the request; the server was not reached.</source>
        <translation>代理无法工作或拒绝连接；未能到达服务器。</translation>
    </message>
    <message>
        <source>NUL characters in the headers, removed</source>
        <translation>标头中含有 NUL 字符，已忽略</translation>
    </message>
    <message>
        <source>Authentication required.</source>
        <translation>需要登录。</translation>
    </message>
    <message>
        <source>Access denied.</source>
        <translation>访问被拒绝。</translation>
    </message>
    <message>
        <source>The proxy requires authentication.</source>
        <translation>代理要求登录。</translation>
    </message>
    <message>
        <source>Gone: permanently removed.</source>
        <translation>已永久移除。</translation>
    </message>
    <message>
        <source>Too many requests: the server limits the rate.</source>
        <translation>请求过多：服务器要求减少请求。</translation>
    </message>
    <message>
        <source>Unavailable for legal reasons.</source>
        <translation>因法律原因不可用。</translation>
    </message>
    <message>
        <source>The server returned an error: the URL is broken.</source>
        <translation>服务器返回错误：此网址无法使用。</translation>
    </message>
    <message>
        <source>Still opening the project: after an interrupted crawl, a large project takes a while.</source>
        <translation>仍在打开项目：上次抓取曾被中断，大型项目需要一些时间。</translation>
    </message>
    <message>
        <source>More HTML elements than the limit</source>
        <translation>HTML 元素过多，未全部读取</translation>
    </message>
    <message>
        <source>Sitemap not fully read</source>
        <translation>站点地图未读完</translation>
    </message>
    <message>
        <source>Unrequested partial content (206)</source>
        <translation>未请求却返回部分内容（206）</translation>
    </message>
    <message>
        <source>Malformed header line, ignored</source>
        <translation>标头行不合规范，已忽略</translation>
    </message>
    <message>
        <source>Content-Length with chunked encoding, ignored</source>
        <translation>分块传输中另有 Content-Length，已忽略</translation>
    </message>
    <message>
        <source>Invalid Content-Length, ignored</source>
        <translation>Content-Length 无效，已忽略</translation>
    </message>
    <message>
        <source>Unknown Transfer-Encoding, ignored</source>
        <translation>未知的 Transfer-Encoding，已忽略</translation>
    </message>
    <message>
        <source>Otherwise malformed</source>
        <translation>其他不合规范之处</translation>
    </message>
    <message>
        <source>The trap limit skipped 1 URL, because its pages only lead to more of the same: {example}</source>
        <translation>有 1 个地址因达到陷阱上限而未抓取，那里的页面只会引出更多同类页面：{example}</translation>
    </message>
    <message>
        <source>The trap limit skipped {number} URLs, because their pages only lead to more of the same, such as {example}</source>
        <translation>有 {number} 个地址因达到陷阱上限而未抓取，那里的页面只会引出更多同类页面，例如 {example}</translation>
    </message>
    <message>
        <source>The header {name!r} is set for each request; remove it.</source>
        <translation>请求头 {name!r} 由每条消息自行决定；请将其删去。</translation>
    </message>
    <message>
        <source>An empty pattern matches every URL; fill it in or remove it.</source>
        <translation>空模式会匹配所有地址；请填写模式，或将其删去。</translation>
    </message>
    <message>
        <source>Sitemap without URLs</source>
        <translation>站点地图未列出任何地址</translation>
    </message>
    <message>
        <source>Number of parallel requests. Can be changed at any time.</source>
        <translation>同时抓取的页面数，可随时更改。</translation>
    </message>
    <message>
        <source>Consecutive redirects to follow.</source>
        <translation>连续跟踪的重定向次数。</translation>
    </message>
    <message>
        <source>Stops the crawl after this many pages.</source>
        <translation>抓取到这么多页面后停止。</translation>
    </message>
    <message>
        <source>Stops after this many similar pages that only link to each other.</source>
        <translation>抓取这么多只互相链接的相似页面后停止。</translation>
    </message>
    <message>
        <source>How often to request a URL that fails temporarily.</source>
        <translation>用于可能是暂时的失败。</translation>
    </message>
    <message>
        <source>Maximum time for one response.</source>
        <translation>等待单个响应的秒数。</translation>
    </message>
    <message>
        <source>Longer pages are cut off at this size.</source>
        <translation>更大的页面只读取开头部分。</translation>
    </message>
    <message>
        <source>Links per page</source>
        <translation>每页链接数</translation>
    </message>
    <message>
        <source>Further links of a page are ignored.</source>
        <translation>超出的链接会被忽略。</translation>
    </message>
    <message>
        <source>URL length</source>
        <translation>网址长度</translation>
    </message>
    <message>
        <source>Longer URLs are listed but not fetched.</source>
        <translation>更长的网址只列出，不抓取。</translation>
    </message>
    <message>
        <source>Requests per host. Use one per second for sites you do not own.</source>
        <translation>对一台主机的请求数。对不属于您的网站，每秒一个较为礼貌。</translation>
    </message>
    <message>
        <source>As fast as it responds</source>
        <translation>以其响应速度为限</translation>
    </message>
    <message>
        <source>Parallel requests to one host.</source>
        <translation>同时从单个主机抓取的页面数。</translation>
    </message>
    <message>
        <source>Pause when nearly all requests fail</source>
        <translation>几乎全部失败时暂停</translation>
    </message>
    <message>
        <source>Choose a name or enter your own.</source>
        <translation>也可从列表中选择。</translation>
    </message>
    <message>
        <source>Accept-Language header, e.g. &apos;de, en;q=0.5&apos;; empty for none.</source>
        <translation>例如“zh-CN, en;q=0.5”；留空则不发送。</translation>
    </message>
    <message>
        <source>Name: value, one per line. Sent to this site only and never saved to a file.</source>
        <translation>每行一个，写成 Name: value。仅发送到此网站，不保存到任何文件。</translation>
    </message>
    <message>
        <source>Sent to every server and saved in the project: no secrets.</source>
        <translation>发送到所有服务器并保存在项目中，请勿填写机密内容。</translation>
    </message>
    <message>
        <source>Used for all requests.</source>
        <translation>用于所有请求。</translation>
    </message>
    <message>
        <source>Keep cookies set by servers</source>
        <translation>保留服务器设置的 Cookie</translation>
    </message>
    <message>
        <source>Hosts whose certificates this crawl does not check; one per line, e.g. example.com:8443.</source>
        <translation>不检查其证书的主机，仅限此次抓取；每行一个，如 example.com:8443。</translation>
    </message>
    <message>
        <source>Processes that parse pages in parallel.</source>
        <translation>并行解析页面。</translation>
    </message>
    <message>
        <source>HTML parser.</source>
        <translation>用于解析 HTML。</translation>
    </message>
    <message>
        <source>Whether subdomains are in scope.</source>
        <translation>子域名是否属于此次抓取。</translation>
    </message>
    <message>
        <source>This host only</source>
        <translation>仅该主机</translation>
    </message>
    <message>
        <source>Regular expressions, one per line; empty for all URLs.</source>
        <translation>正则表达式，每行一个；留空表示全部。</translation>
    </message>
    <message>
        <source>Regular expressions, one per line.</source>
        <translation>正则表达式，每行一个。</translation>
    </message>
    <message>
        <source>Targets of these links are fetched and parsed.</source>
        <translation>其目标会被抓取并解析。</translation>
    </message>
    <message>
        <source>Targets of these links are only checked for their status.</source>
        <translation>只请求其目标以确认是否存在。</translation>
    </message>
    <message>
        <source>Follow nofollow links</source>
        <translation>忽略 nofollow，跟踪链接</translation>
    </message>
    <message>
        <source>Check external links</source>
        <translation>检查指向其他主机的链接</translation>
    </message>
    <message>
        <source>Read the site&apos;s sitemaps</source>
        <translation>同时读取网站的站点地图</translation>
    </message>
    <message>
        <source>Sitemap URLs, one per line.</source>
        <translation>站点地图的网址，每行一个。</translation>
    </message>
    <message>
        <source>Host differs for each server; set it as a private header for the site.</source>
        <translation>每个服务器都有自己的 Host；请把它写成非公开的请求头，只发给该网站。</translation>
    </message>
    <message>
        <source>Copy URL</source>
        <translation>复制网址</translation>
    </message>
    <message>
        <source>Show inlinks</source>
        <translation>显示入链</translation>
    </message>
    <message>
        <source>Go to redirect target</source>
        <translation>转到重定向目标</translation>
    </message>
    <message>
        <source>Show in page source</source>
        <translation>在源代码中显示</translation>
    </message>
    <message>
        <source>Crawl again with everything below</source>
        <translation>连同下级重新抓取</translation>
    </message>
    <message>
        <source>Crawl first with everything below</source>
        <translation>优先抓取此项及其下所有内容</translation>
    </message>
    <message>
        <source>Cancel with everything below</source>
        <translation>连同下级取消</translation>
    </message>
    <message>
        <source>Show only links found here in the table</source>
        <translation>表格中只显示在此发现的网址</translation>
    </message>
    <message>
        <source>Filter table to this folder</source>
        <translation>表格中只显示此目录</translation>
    </message>
    <message>
        <source>Start no new requests; press again to stop those in flight too (Space)</source>
        <translation>不再开始新页面；再按一次，正在抓取的也会停下（空格）</translation>
    </message>
    <message>
        <source>Stop requests in flight too; they go back into the queue</source>
        <translation>连正在抓取的页面也停下，稍后再抓取</translation>
    </message>
    <message>
        <source>Resume this crawl (Space)</source>
        <translation>继续此次抓取（空格）</translation>
    </message>
    <message>
        <source>End this crawl and keep its results</source>
        <translation>结束此次抓取；已抓取的内容会保留</translation>
    </message>
    <message>
        <source>Edi&amp;t URL</source>
        <translation>编辑网址(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;System default</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>S&amp;ystem default</source>
        <translation>跟随系统(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>窗口的下一部分(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous pane</source>
        <translation>窗口的上一部分(&amp;P)</translation>
    </message>
    <message>
        <source>Content cut at a limit, and malformed responses that were read as browsers read them</source>
        <translation>因上限而截断的内容，以及虽不合规范、但像浏览器一样读取的响应</translation>
    </message>
    <message>
        <source>Redirect type</source>
        <translation>重定向种类</translation>
    </message>
    <message>
        <source>Links that a visitor or browser follows here; redirects, canonicals and the like are in the details</source>
        <translation>把读者或浏览器带到此处的链接；重定向、规范网址等见详细信息</translation>
    </message>
    <message>
        <source>Links that a visitor follows; images, style sheets and the like are in the details</source>
        <translation>把读者带往他处的链接；图片、样式表等见详细信息</translation>
    </message>
    <message>
        <source>Consecutive redirects up to the final URL</source>
        <translation>到最终网址为止连续重定向的次数</translation>
    </message>
    <message>
        <source>The chain from here on: a loop, beyond the redirect limit, broken, all permanent (301, 308), all temporary, or mixed</source>
        <translation>从此处起的重定向属于哪种情况：循环、超出重定向上限、中断、全部永久（301、308）、全部临时或混合</translation>
    </message>
    <message>
        <source>Final address</source>
        <translation>最终网址</translation>
    </message>
    <message>
        <source>Where the redirect chain ends; a loop has none</source>
        <translation>重定向最终通向的网址；循环没有最终网址</translation>
    </message>
    <message>
        <source>The status code of the final URL</source>
        <translation>最终网址的状态</translation>
    </message>
    <message>
        <source>{host} blocks crawlers, but may let visitors in.</source>
        <translation>{host} 拒绝爬虫访问，普通访客可能仍可进入。</translation>
    </message>
    <message>
        <source>Retry slowly, as a browser</source>
        <translation>以浏览器身份慢速重试</translation>
    </message>
    <message>
        <source>Page is nofollow</source>
        <translation>要求不跟踪其链接</translation>
    </message>
    <message>
        <source>The page is nofollow: it asks crawlers not to follow its links.</source>
        <translation>该页面要求爬虫不要跟踪其链接。</translation>
    </message>
    <message>
        <source>Needs JavaScript</source>
        <translation>需要 JavaScript</translation>
    </message>
    <message>
        <source>May be HTTPS-only</source>
        <translation>可能只支持 HTTPS</translation>
    </message>
    <message>
        <source>{host} returned no page over http://. It may be HTTPS-only.</source>
        <translation>通过 http:// 没有从 {host} 得到页面。它可能只支持 HTTPS。</translation>
    </message>
    <message>
        <source>The robots.txt of {host} disallows crawling. Nothing was fetched.</source>
        <translation>{host} 的 robots.txt 要求爬虫不要访问，因此没有读取任何内容。</translation>
    </message>
    <message>
        <source>Crawl anyway</source>
        <translation>仍然抓取</translation>
    </message>
    <message>
        <source>robots.txt unavailable</source>
        <translation>robots.txt 无法读取</translation>
    </message>
    <message>
        <source>The robots.txt of {host} could not be read, so nothing may be fetched.</source>
        <translation>无法读取 {host} 的 robots.txt，因此不得抓取任何内容。</translation>
    </message>
    <message>
        <source>{host} redirects to another site, which is out of scope.</source>
        <translation>{host} 重定向到另一个网站，该网站不在此次抓取范围内。</translation>
    </message>
    <message>
        <source>Invalid certificate</source>
        <translation>证书无效</translation>
    </message>
    <message>
        <source>Continue anyway</source>
        <translation>仍然继续</translation>
    </message>
    <message>
        <source>Unknown host</source>
        <translation>未知主机</translation>
    </message>
    <message>
        <source>No host named {host} was found. Check the URL.</source>
        <translation>找不到主机 {host}。网址是否正确？</translation>
    </message>
    <message>
        <source>Edit the URL</source>
        <translation>修改网址</translation>
    </message>
    <message>
        <source>{host}: {why} Check the URL and its port, then try again.</source>
        <translation>{host}：{why}请检查网址及其端口，然后重试。</translation>
    </message>
    <message>
        <source>Proxy does not work</source>
        <translation>代理不可用</translation>
    </message>
    <message>
        <source>The proxy does not work, so nothing was requested from {host}. Check the proxy settings, then try again.</source>
        <translation>代理无法工作，因此未请求 {host}。请检查设置中的代理，然后重试。</translation>
    </message>
    <message>
        <source>Private network</source>
        <translation>位于专用网络</translation>
    </message>
    <message>
        <source>{host} resolves to a private IP address, so nothing was requested. To crawl it, start from its private address.</source>
        <translation>{host} 指向专用网络，因此未请求。如需抓取，请从其专用地址开始。</translation>
    </message>
    <message>
        <source>{url}: {why} Check the URL.</source>
        <translation>{url}：{why}请检查网址。</translation>
    </message>
    <message>
        <source>{url}: {why} No pages were found. Try again later.</source>
        <translation>{url}：{why}一无所获；请稍后重试。</translation>
    </message>
    <message>
        <source>Canonicalised pages</source>
        <translation>规范网址为其他网址的页面</translation>
    </message>
    <message>
        <source>In a sitemap, but canonicalised to another URL</source>
        <translation>在站点地图中，但规范网址是另一个地址</translation>
    </message>
    <message>
        <source>In a sitemap, but broken</source>
        <translation>在站点地图中，但无法访问</translation>
    </message>
    <message>
        <source>Files other than pages</source>
        <translation>非页面文件</translation>
    </message>
    <message>
        <source>In a sitemap, but not a page</source>
        <translation>在站点地图中，但不是网页</translation>
    </message>
    <message>
        <source>Linked, but not in a sitemap</source>
        <translation>有链接指向，但不在任何站点地图中</translation>
    </message>
    <message>
        <source>Non-indexable URLs in sitemap</source>
        <translation>站点地图中的非网页</translation>
    </message>
    <message>
        <source>Orphan URLs in sitemap</source>
        <translation>站点地图中无链接指向的网址</translation>
    </message>
    <message>
        <source>far from the roots: {pattern}</source>
        <translation>离起点太远：{pattern}</translation>
    </message>
    <message>
        <source>folders with nothing new</source>
        <translation>没有新内容的目录</translation>
    </message>
    <message>
        <source>hosts with nothing new</source>
        <translation>没有新内容的主机</translation>
    </message>
    <message>
        <source>{host} is a loopback address</source>
        <translation>{host} 是本机自己的地址</translation>
    </message>
    <message>
        <source>{host} is a cloud metadata address</source>
        <translation>{host} 是云元数据服务的地址</translation>
    </message>
    <message>
        <source>{host} is not a public address</source>
        <translation>{host} 不是任何公网服务器的地址</translation>
    </message>
    <message>
        <source>only the first {number:,} elements were read</source>
        <translation>只查看了前 {number:,} 个元素</translation>
    </message>
    <message>
        <source>it is neither XML nor a URL list</source>
        <translation>既不是 XML，也不是网址列表</translation>
    </message>
    <message>
        <source>it is another kind of XML: its root element is {element}</source>
        <translation>这是另一种 XML：最外层元素是 {element}</translation>
    </message>
    <message>
        <source>its elements are nested too deeply</source>
        <translation>元素嵌套过深</translation>
    </message>
    <message>
        <source>the connection closed within the body</source>
        <translation>连接在正文传输中结束</translation>
    </message>
    <message>
        <source>no local port left to connect from</source>
        <translation>本机没有可用于连接的地址</translation>
    </message>
    <message>
        <source>not permitted on this computer</source>
        <translation>本机不允许此操作</translation>
    </message>
    <message>
        <source>the proxy returned {status}</source>
        <translation>代理返回 {status}</translation>
    </message>
    <message>
        <source>the proxy returned {status} {reason}</source>
        <translation>代理返回 {status} {reason}</translation>
    </message>
    <message>
        <source>it requires another authentication method</source>
        <translation>需要其他登录信息</translation>
    </message>
    <message>
        <source>more than {most} interim responses</source>
        <translation>超过 {most} 个中间响应</translation>
    </message>
    <message>
        <source>headers without end</source>
        <translation>响应头没有结尾</translation>
    </message>
    <message>
        <source>a chunk longer than its size</source>
        <translation>分块超过其声明的大小</translation>
    </message>
    <message>
        <source>an invalid chunk size</source>
        <translation>分块大小无效</translation>
    </message>
    <message>
        <source>the body ended before its Content-Length</source>
        <translation>正文未达到声明的长度就结束了</translation>
    </message>
    <message>
        <source>Each URL below the page it was first found on</source>
        <translation>抓取如何到达每个页面：它位于最先通向它的内容之下</translation>
    </message>
    <message>
        <source>The same URLs by path, like folders on a disk</source>
        <translation>按路径排列的相同网址，与磁盘上一样</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>{exclusion!r} is not an element, .class or #id; write it as nav, .menu or #menu.</source>
        <translation>{exclusion!r} 不是元素、.class 或 #id；请写成 nav、.menu 或 #menu。</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>The page has no &lt;title&gt; element, or an empty one.</source>
        <translation>页面没有 &lt;title&gt; 元素，或其内容为空。</translation>
    </message>
    <message>
        <source>The title is the headline of the search result and the text on the browser tab. Without one, search engines make one up.</source>
        <translation>标题是搜索结果的大标题，也是浏览器标签页上的文字。没有标题时，搜索引擎会自行编造一个。</translation>
    </message>
    <message>
        <source>Write a &lt;title&gt; that says what this page is about, in about 30 to 60 characters.</source>
        <translation>请编写 &lt;title&gt;，用大约 30 至 60 个字符说明页面内容。</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Another indexable page has the same title.</source>
        <translation>另一个可索引页面的标题与此相同。</translation>
    </message>
    <message>
        <source>Visitors cannot tell the pages apart in search results, and search engines may take them for the same page.</source>
        <translation>访问者在搜索结果中无法区分这些页面，搜索引擎也可能把它们当成同一个页面。</translation>
    </message>
    <message>
        <source>Give each page a title of its own. If the pages are the same, redirect or canonicalise all but one.</source>
        <translation>请为每个页面编写各自的标题。如果页面内容相同，请只保留一个，其余的重定向或规范化到它。</translation>
    </message>
    <message>
        <source>Over {limit} Characters</source>
        <translation>超过 {limit} 个字符</translation>
    </message>
    <message>
        <source>The title is longer than search results usually show.</source>
        <translation>标题长于搜索结果通常显示的长度。</translation>
    </message>
    <message>
        <source>Search engines cut long titles, so visitors may not see the words that matter.</source>
        <translation>搜索引擎会截断过长的标题，访问者可能看不到关键词语。</translation>
    </message>
    <message>
        <source>Shorten the title, and put the words that matter first.</source>
        <translation>请缩短标题，并把关键词语放在前面。</translation>
    </message>
    <message>
        <source>Below {limit} Characters</source>
        <translation>少于 {limit} 个字符</translation>
    </message>
    <message>
        <source>The title is short.</source>
        <translation>标题较短。</translation>
    </message>
    <message>
        <source>A search result has room for more words that tell visitors what to expect.</source>
        <translation>搜索结果还有空间容纳更多文字，告诉访问者能看到什么。</translation>
    </message>
    <message>
        <source>Say more precisely what the page offers. A short title that says it all is fine.</source>
        <translation>请更具体地说明页面内容。如果简短的标题已经足够，也没有问题。</translation>
    </message>
    <message>
        <source>Over {limit} Pixels</source>
        <translation>宽度超过 {limit} 像素</translation>
    </message>
    <message>
        <source>The title is wider than the headline of a search result.</source>
        <translation>标题比搜索结果的大标题更宽。</translation>
    </message>
    <message>
        <source>Search engines cut titles by their width in pixels. The end of this one is not shown.</source>
        <translation>搜索引擎按像素宽度截断标题，这个标题的末尾不会显示。</translation>
    </message>
    <message>
        <source>Shorten the title, or use narrower words.</source>
        <translation>请缩短标题，或改用更窄的词语。</translation>
    </message>
    <message>
        <source>Below {limit} Pixels</source>
        <translation>宽度小于 {limit} 像素</translation>
    </message>
    <message>
        <source>The title leaves most of the headline of a search result empty.</source>
        <translation>标题只占搜索结果大标题的一小部分。</translation>
    </message>
    <message>
        <source>Same as H1</source>
        <translation>与 H1 相同</translation>
    </message>
    <message>
        <source>The title and the first &lt;h1&gt; are the same.</source>
        <translation>标题与第一个 &lt;h1&gt; 相同。</translation>
    </message>
    <message>
        <source>It is no mistake, but the title could name further words that people search for.</source>
        <translation>这不是错误，但标题可以包含人们搜索的其他词语。</translation>
    </message>
    <message>
        <source>Consider other words for one of the two, if they help visitors.</source>
        <translation>如果对访问者有帮助，可考虑为其中之一换用其他词语。</translation>
    </message>
    <message>
        <source>Multiple</source>
        <translation>多个</translation>
    </message>
    <message>
        <source>The page has more than one &lt;title&gt; element.</source>
        <translation>页面有不止一个 &lt;title&gt; 元素。</translation>
    </message>
    <message>
        <source>Search engines choose one of them, which may not be the one you want.</source>
        <translation>搜索引擎会从中选择一个，而它可能不是您想要的那个。</translation>
    </message>
    <message>
        <source>Keep one &lt;title&gt;. Often a plugin or a second template adds the other.</source>
        <translation>请只保留一个 &lt;title&gt;。另一个往往由插件或第二个模板添加。</translation>
    </message>
    <message>
        <source>Outside &lt;head&gt;</source>
        <translation>位于 &lt;head&gt; 之外</translation>
    </message>
    <message>
        <source>The &lt;title&gt; element is not in the &lt;head&gt; of the page that browsers build.</source>
        <translation>在浏览器构建的页面中，&lt;title&gt; 元素不在 &lt;head&gt; 内。</translation>
    </message>
    <message>
        <source>Search engines may ignore it. An element that is not allowed in &lt;head&gt;, such as &lt;div&gt; or &lt;img&gt;, ends the head, and everything after it is in the body.</source>
        <translation>搜索引擎可能会忽略它。&lt;div&gt; 或 &lt;img&gt; 等不允许出现在 &lt;head&gt; 中的元素会结束头部，其后的一切都属于正文。</translation>
    </message>
    <message>
        <source>Move the &lt;title&gt; into &lt;head&gt;, before any element that is not allowed there.</source>
        <translation>请将 &lt;title&gt; 移入 &lt;head&gt;，放在任何不允许出现的元素之前。</translation>
    </message>
    <message>
        <source>Title width</source>
        <translation>标题宽度</translation>
    </message>
    <message>
        <source>Title 2</source>
        <translation>标题 2</translation>
    </message>
    <message>
        <source>Description width</source>
        <translation>描述宽度</translation>
    </message>
    <message>
        <source>Meta description 2</source>
        <translation>元描述 2</translation>
    </message>
    <message>
        <source>Meta keywords</source>
        <translation>元关键词</translation>
    </message>
    <message>
        <source>H1 2</source>
        <translation>H1 2</translation>
    </message>
    <message>
        <source>H2</source>
        <translation>H2</translation>
    </message>
    <message>
        <source>H2 2</source>
        <translation>H2 2</translation>
    </message>
    <message>
        <source>Heading levels</source>
        <translation>标题层级</translation>
    </message>
    <message>
        <source>Canonical (HTTP)</source>
        <translation>规范网址（HTTP）</translation>
    </message>
    <message>
        <source>rel=next</source>
        <translation>rel=next</translation>
    </message>
    <message>
        <source>rel=prev</source>
        <translation>rel=prev</translation>
    </message>
    <message>
        <source>rel=next (HTTP)</source>
        <translation>rel=next（HTTP）</translation>
    </message>
    <message>
        <source>rel=prev (HTTP)</source>
        <translation>rel=prev（HTTP）</translation>
    </message>
    <message>
        <source>AMP page</source>
        <translation>AMP 页面</translation>
    </message>
    <message>
        <source>Mobile page</source>
        <translation>移动页面</translation>
    </message>
    <message>
        <source>Viewport</source>
        <translation>视口</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>句数</translation>
    </message>
    <message>
        <source>Structured data</source>
        <translation>结构化数据</translation>
    </message>
    <message>
        <source>Title, longest</source>
        <translation>标题最长</translation>
    </message>
    <message>
        <source>Characters.</source>
        <translation>字符数。</translation>
    </message>
    <message>
        <source>Title, shortest</source>
        <translation>标题最短</translation>
    </message>
    <message>
        <source>Title, widest</source>
        <translation>标题最宽</translation>
    </message>
    <message>
        <source>Pixels in a search result.</source>
        <translation>搜索结果中的像素数。</translation>
    </message>
    <message>
        <source>Title, narrowest</source>
        <translation>标题最窄</translation>
    </message>
    <message>
        <source>Description, longest</source>
        <translation>描述最长</translation>
    </message>
    <message>
        <source>Description, shortest</source>
        <translation>描述最短</translation>
    </message>
    <message>
        <source>Description, widest</source>
        <translation>描述最宽</translation>
    </message>
    <message>
        <source>Description, narrowest</source>
        <translation>描述最窄</translation>
    </message>
    <message>
        <source>H1, longest</source>
        <translation>H1 最长</translation>
    </message>
    <message>
        <source>H2, longest</source>
        <translation>H2 最长</translation>
    </message>
    <message>
        <source>URL, longest</source>
        <translation>URL 最长</translation>
    </message>
    <message>
        <source>Alt text, longest</source>
        <translation>替代文本最长</translation>
    </message>
    <message>
        <source>Image, largest</source>
        <translation>图片最大</translation>
    </message>
    <message>
        <source>Size in KiB.</source>
        <translation>大小，以 KiB 为单位。</translation>
    </message>
    <message>
        <source>Content, fewest words</source>
        <translation>内容最少字数</translation>
    </message>
    <message>
        <source>Words without navigation and footer.</source>
        <translation>不含导航和页脚的字数。</translation>
    </message>
    <message>
        <source>Near duplicates</source>
        <translation>近似重复</translation>
    </message>
    <message>
        <source>Percent of the text that two pages share.</source>
        <translation>两个页面共有文本的百分比。</translation>
    </message>
    <message>
        <source>Clicks from a root.</source>
        <translation>距起始页的点击数。</translation>
    </message>
    <message>
        <source>Internal outlinks</source>
        <translation>内部出链</translation>
    </message>
    <message>
        <source>Links to distinct URLs on one page.</source>
        <translation>单个页面上指向不同 URL 的链接数。</translation>
    </message>
    <message>
        <source>External outlinks</source>
        <translation>外部出链</translation>
    </message>
    <message>
        <source>Document, largest</source>
        <translation>文档最大</translation>
    </message>
    <message>
        <source>Size in MiB.</source>
        <translation>大小，以 MiB 为单位。</translation>
    </message>
    <message>
        <source>Not content</source>
        <translation>非内容</translation>
    </message>
    <message>
        <source>Elements, .classes and #ids whose text does not count as content.</source>
        <translation>其文本不算作内容的元素、.class 和 #id。</translation>
    </message>
    <message>
        <source>Every hop costs visitors time and crawlers a request. Search engines follow only a limited number of hops, Google ten.</source>
        <translation>每一跳都会耗费访问者的时间和爬虫的一次请求。搜索引擎只跟踪有限的跳数，Google 为十跳。</translation>
    </message>
    <message>
        <source>The page has no &lt;h1&gt;, or only empty ones.</source>
        <translation>页面没有 &lt;h1&gt;，或只有空的 &lt;h1&gt;。</translation>
    </message>
    <message>
        <source>The first-level heading tells visitors, screen readers and search engines what the page is about. Search engines may also use it as the headline of the search result.</source>
        <translation>一级标题告诉访问者、屏幕阅读器和搜索引擎页面讲的是什么。搜索引擎也可能把它用作搜索结果的大标题。</translation>
    </message>
    <message>
        <source>Put the topic of the page into one &lt;h1&gt; at the top of its content.</source>
        <translation>请在内容顶部用一个 &lt;h1&gt; 写明页面主题。</translation>
    </message>
    <message>
        <source>Another indexable page has the same &lt;h1&gt;.</source>
        <translation>另一个可索引页面的 &lt;h1&gt; 与此相同。</translation>
    </message>
    <message>
        <source>Visitors who come from a search or a list cannot tell by the heading which of the pages they are on, and the pages may compete for the same searches.</source>
        <translation>从搜索或列表进入的访问者无法凭标题分辨自己在哪个页面，这些页面也可能争夺相同的搜索。</translation>
    </message>
    <message>
        <source>Say in each heading what sets the page apart. If the pages are the same, keep one and redirect or canonicalise the others.</source>
        <translation>请在每个标题中写明该页面的独特之处。如果页面内容相同，请只保留一个，其余的重定向或规范化到它。</translation>
    </message>
    <message>
        <source>The &lt;h1&gt; is long for a heading.</source>
        <translation>作为标题，这个 &lt;h1&gt; 偏长。</translation>
    </message>
    <message>
        <source>A heading is read at a glance. In a long one the topic is hard to find.</source>
        <translation>标题应当一眼看懂；标题过长，主题就不易找到。</translation>
    </message>
    <message>
        <source>Shorten it to the topic, and move the rest into the text or a subheading.</source>
        <translation>请缩短到只留主题，其余移到正文或小标题中。</translation>
    </message>
    <message>
        <source>The page has more than one &lt;h1&gt; with text.</source>
        <translation>页面有多个带文字的 &lt;h1&gt;。</translation>
    </message>
    <message>
        <source>The standard allows it and search engines cope, but with one main heading everybody knows what the page is about. Often the second one is a logo or a slider.</source>
        <translation>标准允许这样做，搜索引擎也能处理，但只有一个主标题时，页面主题一目了然。多出的往往是徽标或轮播图。</translation>
    </message>
    <message>
        <source>Keep the &lt;h1&gt; that names the topic, and make the others &lt;h2&gt; or plain text.</source>
        <translation>请保留写明主题的 &lt;h1&gt;，其余改为 &lt;h2&gt; 或普通文本。</translation>
    </message>
    <message>
        <source>Alt Text in h1</source>
        <translation>h1 中是替代文本</translation>
    </message>
    <message>
        <source>It is often the logo, so that every page has the same heading. Even where it is the topic, text says more to search engines than an image.</source>
        <translation>它往往是徽标，于是每个页面的标题都一样。即使写的是主题，对搜索引擎来说文字也比图片更明确。</translation>
    </message>
    <message>
        <source>Write the heading as text. Move a logo out of the &lt;h1&gt;.</source>
        <translation>请用文字写标题。如果是徽标，请移出 &lt;h1&gt;。</translation>
    </message>
    <message>
        <source>Non-Sequential</source>
        <translation>顺序不当</translation>
    </message>
    <message>
        <source>The &lt;h1&gt; is not the first heading on the page.</source>
        <translation>&lt;h1&gt; 不是页面上的第一个标题。</translation>
    </message>
    <message>
        <source>People who use a screen reader move from heading to heading, and expect the main one first.</source>
        <translation>使用屏幕阅读器的人会逐个标题浏览，并预期主标题最先出现。</translation>
    </message>
    <message>
        <source>Put the &lt;h1&gt; before other headings, or make those before it plain text.</source>
        <translation>请将 &lt;h1&gt; 放在其他标题之前，或把它前面的标题改为普通文本。</translation>
    </message>
    <message>
        <source>The page has no &lt;h2&gt;, or only empty ones.</source>
        <translation>页面没有 &lt;h2&gt;，或只有空的 &lt;h2&gt;。</translation>
    </message>
    <message>
        <source>Subheadings let visitors find the part they came for, and show what a page covers.</source>
        <translation>小标题让访问者找到所需的部分，也说明页面涵盖哪些内容。</translation>
    </message>
    <message>
        <source>Divide a long text by &lt;h2&gt; headings. A short page needs none.</source>
        <translation>请用 &lt;h2&gt; 标题划分长文。短页面不需要。</translation>
    </message>
    <message>
        <source>Another indexable page has the same first &lt;h2&gt;.</source>
        <translation>另一个可索引页面的第一个 &lt;h2&gt; 与此相同。</translation>
    </message>
    <message>
        <source>A heading that appears on many pages, such as one of a menu or a form, says nothing about this page.</source>
        <translation>出现在许多页面上的标题（例如菜单或表单的标题）不能说明这个页面的内容。</translation>
    </message>
    <message>
        <source>Use &lt;h2&gt; for the parts of the content. Make titles of menus, forms and other recurring parts plain text or lower headings.</source>
        <translation>请将 &lt;h2&gt; 用于内容的各部分。菜单、表单等重复部分的标题请改为普通文本或更低级的标题。</translation>
    </message>
    <message>
        <source>The first &lt;h2&gt; is long for a heading.</source>
        <translation>作为标题，第一个 &lt;h2&gt; 偏长。</translation>
    </message>
    <message>
        <source>Shorten it to the topic of its part, and move the rest into the text.</source>
        <translation>请缩短到只留该部分的主题，其余移到正文中。</translation>
    </message>
    <message>
        <source>The page has more than one &lt;h2&gt; with text.</source>
        <translation>页面有多个带文字的 &lt;h2&gt;。</translation>
    </message>
    <message>
        <source>This is common and not an error: a page has as many subheadings as it has parts.</source>
        <translation>这很常见，并非错误：页面有几个部分，就有几个小标题。</translation>
    </message>
    <message>
        <source>Do nothing if they structure the content. Otherwise make them plain text.</source>
        <translation>如果它们用于划分内容，则无需改动；否则请改为普通文本。</translation>
    </message>
    <message>
        <source>Screen readers present headings as an outline. Where a level is skipped, listeners wonder what they missed.</source>
        <translation>屏幕阅读器把标题呈现为大纲。跳过一级时，听者会以为漏掉了什么。</translation>
    </message>
    <message>
        <source>Make the first heading below the &lt;h1&gt; an &lt;h2&gt;. Set its size by a style sheet.</source>
        <translation>请将 &lt;h1&gt; 之下的第一个标题设为 &lt;h2&gt;，字号用样式表设置。</translation>
    </message>
    <message>
        <source>The page has no &lt;meta name=&quot;description&quot;&gt; element, or an empty one.</source>
        <translation>页面没有 &lt;meta name=&quot;description&quot;&gt; 元素，或其内容为空。</translation>
    </message>
    <message>
        <source>Search engines may show the description below the headline of a search result. Without one, they pick some text of the page, which may say little about it.</source>
        <translation>搜索引擎可能在搜索结果的大标题下显示描述。没有描述时，它们会从页面中摘取一些文字，而这些文字未必能说明页面内容。</translation>
    </message>
    <message>
        <source>Describe the page in a sentence or two that make people want to visit it.</source>
        <translation>请用一两句话描述页面，让人想要访问。</translation>
    </message>
    <message>
        <source>Another indexable page has the same meta description.</source>
        <translation>另一个可索引页面的元描述与此相同。</translation>
    </message>
    <message>
        <source>A description that fits several pages says nothing of any of them, so search engines often show other text instead.</source>
        <translation>适用于多个页面的描述对哪个页面都没有说明作用，因此搜索引擎往往改为显示其他文字。</translation>
    </message>
    <message>
        <source>Write a description for each page, beginning with the most important ones. None at all is better than the same one everywhere.</source>
        <translation>请为每个页面编写描述，从最重要的页面开始。到处使用同一描述，不如不写。</translation>
    </message>
    <message>
        <source>The meta description is longer than search results usually show.</source>
        <translation>元描述超出了搜索结果通常显示的长度。</translation>
    </message>
    <message>
        <source>Search engines cut long descriptions, so searchers do not see the end of this one.</source>
        <translation>搜索引擎会截断过长的描述，搜索者看不到它的结尾。</translation>
    </message>
    <message>
        <source>Shorten it, or at least say what matters first.</source>
        <translation>请缩短，或至少把要点写在前面。</translation>
    </message>
    <message>
        <source>The meta description is short.</source>
        <translation>元描述较短。</translation>
    </message>
    <message>
        <source>A search result has room for more that could win a visitor.</source>
        <translation>搜索结果中还有空间，可以写出更多吸引访问者的内容。</translation>
    </message>
    <message>
        <source>Add what the visitor gets from the page: facts, a price, a place, a benefit.</source>
        <translation>请补充访问者能从页面得到什么：事实、价格、地点、好处。</translation>
    </message>
    <message>
        <source>The meta description is wider than the text of a search result.</source>
        <translation>元描述比搜索结果的文字区域更宽。</translation>
    </message>
    <message>
        <source>Search engines cut descriptions by their width. The end of this one is not shown.</source>
        <translation>搜索引擎按像素宽度截断描述。它的结尾不会显示。</translation>
    </message>
    <message>
        <source>The meta description fills only a small part of the text of a search result.</source>
        <translation>元描述只占搜索结果文字区域的一小部分。</translation>
    </message>
    <message>
        <source>The page has more than one &lt;meta name=&quot;description&quot;&gt; element.</source>
        <translation>页面有多个 &lt;meta name=&quot;description&quot;&gt; 元素。</translation>
    </message>
    <message>
        <source>Search engines choose one of them or join them, so you do not know what they show.</source>
        <translation>搜索引擎会选用其中之一或将其合并，您无法得知会显示什么。</translation>
    </message>
    <message>
        <source>Keep one. Often a theme and a plugin each add their own.</source>
        <translation>请只保留一个。往往是主题和插件各加了一个。</translation>
    </message>
    <message>
        <source>The meta description is not in the &lt;head&gt; of the page that browsers build.</source>
        <translation>在浏览器构建的页面中，元描述不在 &lt;head&gt; 内。</translation>
    </message>
    <message>
        <source>Move the element into &lt;head&gt;, before any element that is not allowed there.</source>
        <translation>请将该元素移入 &lt;head&gt;，放在任何不允许出现在那里的元素之前。</translation>
    </message>
    <message>
        <source>External Blocked by Robots.txt</source>
        <translation>外部：被 robots.txt 阻止</translation>
    </message>
    <message>
        <source>The robots.txt of another site disallows this URL, so it was not requested.</source>
        <translation>另一个网站的 robots.txt 不允许抓取此网址，因此未请求。</translation>
    </message>
    <message>
        <source>Visitors can open it, but whether the link works could not be checked, and search engines do not read what is there.</source>
        <translation>访问者可以打开它，但无法检查链接是否有效，搜索引擎也不会读取其内容。</translation>
    </message>
    <message>
        <source>Open the link yourself. It needs no change if it works.</source>
        <translation>请自行打开该链接。如果有效，则无需改动。</translation>
    </message>
    <message>
        <source>External Blocked Resource</source>
        <translation>外部：被阻止的资源</translation>
    </message>
    <message>
        <source>Pages use an image, script or style sheet of another site whose robots.txt disallows it.</source>
        <translation>页面使用了另一个网站的图片、脚本或样式表，而该网站的 robots.txt 不允许抓取。</translation>
    </message>
    <message>
        <source>Search engines render pages without it, so content that a blocked script loads is missing for them.</source>
        <translation>搜索引擎渲染页面时没有它，因此看不到由被阻止的脚本加载的内容。</translation>
    </message>
    <message>
        <source>Serve the file from your own site, or ask the other site to allow it.</source>
        <translation>请从自己的网站提供该文件，或请对方网站允许抓取。</translation>
    </message>
    <message>
        <source>External No Response</source>
        <translation>外部：无响应</translation>
    </message>
    <message>
        <source>A URL of another site returned no usable response: unknown host, failed connection, invalid certificate or timeout.</source>
        <translation>另一个网站的网址没有返回可用的响应：主机不存在、连接失败、证书无效或超时。</translation>
    </message>
    <message>
        <source>Visitors who follow the link see an error of their browser.</source>
        <translation>点击该链接的访问者会看到浏览器的错误页面。</translation>
    </message>
    <message>
        <source>Open the link in a browser. If it is dead there, too, replace or remove it.</source>
        <translation>请在浏览器中打开该链接。如果同样无法打开，请更换或移除。</translation>
    </message>
    <message>
        <source>External Redirection (3xx)</source>
        <translation>外部：重定向 (3xx)</translation>
    </message>
    <message>
        <source>A URL of another site redirects to another one by its status code.</source>
        <translation>另一个网站的网址以状态码重定向到其他网址。</translation>
    </message>
    <message>
        <source>The link works, but takes longer, and breaks when the other site drops the redirect.</source>
        <translation>链接有效，但耗时更长；对方网站取消重定向后就会失效。</translation>
    </message>
    <message>
        <source>Link to the target if the redirect is permanent (301 or 308).</source>
        <translation>如果是永久重定向（301 或 308），请直接链接到目标。</translation>
    </message>
    <message>
        <source>External Redirection (JavaScript)</source>
        <translation>外部：重定向 (JavaScript)</translation>
    </message>
    <message>
        <source>A script on a page of another site sends visitors to another URL.</source>
        <translation>另一个网站页面上的脚本把访问者转到其他网址。</translation>
    </message>
    <message>
        <source>The link works, but takes longer, and only where scripts run.</source>
        <translation>链接有效，但耗时更长，并且只在脚本能运行时有效。</translation>
    </message>
    <message>
        <source>Link to the target.</source>
        <translation>请直接链接到目标。</translation>
    </message>
    <message>
        <source>External Redirection (Meta Refresh)</source>
        <translation>外部：重定向 (Meta Refresh)</translation>
    </message>
    <message>
        <source>A page of another site sends visitors on at once by &lt;meta http-equiv=&quot;refresh&quot;&gt;.</source>
        <translation>另一个网站的页面通过 &lt;meta http-equiv=&quot;refresh&quot;&gt; 立即把访问者转走。</translation>
    </message>
    <message>
        <source>The link works, but visitors load a page for nothing on their way.</source>
        <translation>链接有效，但访问者途中要白白加载一个页面。</translation>
    </message>
    <message>
        <source>External Redirection (HTTP Refresh)</source>
        <translation>外部：重定向 (HTTP Refresh)</translation>
    </message>
    <message>
        <source>A server of another site sends visitors on at once by a Refresh header.</source>
        <translation>另一个网站的服务器通过 Refresh 标头立即把访问者转走。</translation>
    </message>
    <message>
        <source>The link works, but takes longer, and not every client follows the header.</source>
        <translation>链接有效，但耗时更长，而且并非所有客户端都支持该标头。</translation>
    </message>
    <message>
        <source>External Redirect Chain</source>
        <translation>外部：重定向链</translation>
    </message>
    <message>
        <source>A URL of another site redirects to one that redirects again.</source>
        <translation>另一个网站的网址重定向到的网址又再次重定向。</translation>
    </message>
    <message>
        <source>Each hop costs your visitors time, and any of them may break one day.</source>
        <translation>每一跳都会耗费访问者的时间，而且任何一跳都可能在某天失效。</translation>
    </message>
    <message>
        <source>Link to the final address if the redirects are permanent.</source>
        <translation>如果是永久重定向，请直接链接到最终网址。</translation>
    </message>
    <message>
        <source>External Redirect Loop</source>
        <translation>外部：重定向循环</translation>
    </message>
    <message>
        <source>The redirects from a URL of another site lead back to it and never end.</source>
        <translation>另一个网站的网址经重定向又回到自身，永无止境。</translation>
    </message>
    <message>
        <source>The link leads to no page. Sometimes a browser with cookies gets through, so try it before you judge.</source>
        <translation>该链接不通向任何页面。有时带 Cookie 的浏览器可以打开，请先试一试再下结论。</translation>
    </message>
    <message>
        <source>Open the link in a browser. If it fails there, too, replace or remove it.</source>
        <translation>请在浏览器中打开该链接。如果同样失败，请更换或移除。</translation>
    </message>
    <message>
        <source>External Client Error (4xx)</source>
        <translation>外部：客户端错误 (4xx)</translation>
    </message>
    <message>
        <source>A URL of another site returned a status code from 400 to 499, such as 404 Not Found.</source>
        <translation>另一个网站的网址返回了 400 至 499 的状态码，例如 404 Not Found。</translation>
    </message>
    <message>
        <source>Visitors who follow the link end on an error page, and trust your page less.</source>
        <translation>点击该链接的访问者会看到错误页面，对您的页面也会减少信任。</translation>
    </message>
    <message>
        <source>Open the link in a browser: some sites turn crawlers away. If it is dead, look for its new address, or remove it.</source>
        <translation>请在浏览器中打开该链接：有些网站会拒绝爬虫。如果已失效，请查找新网址或移除链接。</translation>
    </message>
    <message>
        <source>External Server Error (5xx)</source>
        <translation>外部：服务器错误 (5xx)</translation>
    </message>
    <message>
        <source>Visitors who follow the link get no page, at least at the time of the crawl.</source>
        <translation>点击该链接的访问者得不到页面，至少抓取时如此。</translation>
    </message>
    <message>
        <source>Check the link again later. Replace or remove it if it keeps failing.</source>
        <translation>请稍后再次检查该链接。如果仍然失败，请更换或移除。</translation>
    </message>
    <message>
        <source>External Refused to Robots</source>
        <translation>外部：拒绝爬虫</translation>
    </message>
    <message>
        <source>A server of another site turned the crawler away: with status 401, 403, 405, 429 or 999, or with a test for humans.</source>
        <translation>另一个网站的服务器拒绝了爬虫：状态码为 401、403、405、429 或 999，或要求人机验证。</translation>
    </message>
    <message>
        <source>Most such links work for visitors. They are listed apart from broken ones, so that you neither remove good links nor overlook dead ones.</source>
        <translation>这类链接对访问者大多有效。它们与失效链接分开列出，以免误删有效链接或漏掉失效链接。</translation>
    </message>
    <message>
        <source>Open the link in a browser. It needs no change if it works.</source>
        <translation>请在浏览器中打开该链接。如果有效，则无需改动。</translation>
    </message>
    <message>
        <source>External Unverified</source>
        <translation>外部：无法确认</translation>
    </message>
    <message>
        <source>Internal Blocked by Robots.txt</source>
        <translation>内部：被 robots.txt 阻止</translation>
    </message>
    <message>
        <source>The site&apos;s robots.txt disallows this URL, so it was not requested.</source>
        <translation>本网站的 robots.txt 不允许抓取此网址，因此未请求。</translation>
    </message>
    <message>
        <source>Search engines cannot read it either. They may still list it without its text if others link to it, and its own links count for nothing.</source>
        <translation>搜索引擎同样无法读取它。如果有其他网站链接到它，它仍可能在没有正文的情况下被收录，而它自己的链接则不起作用。</translation>
    </message>
    <message>
        <source>Allow the URL in robots.txt if it should be found. If it should not, allow it all the same and make it noindex: a page that nobody may read cannot say that.</source>
        <translation>如果希望它被找到，请在 robots.txt 中允许此网址。如果不希望，也请允许它并设为 noindex：不许读取的页面无法声明 noindex。</translation>
    </message>
    <message>
        <source>Internal Blocked Resource</source>
        <translation>内部：被阻止的资源</translation>
    </message>
    <message>
        <source>The site&apos;s robots.txt disallows an image, script or style sheet that pages use.</source>
        <translation>本网站的 robots.txt 不允许抓取页面所用的图片、脚本或样式表。</translation>
    </message>
    <message>
        <source>Search engines render pages like a browser. Without its scripts and styles a page may lack content or look unfit for phones; blocked images cannot be found.</source>
        <translation>搜索引擎会像浏览器一样渲染页面。缺少脚本和样式时，页面可能内容不全，或看似不适合手机；被阻止的图片则无法被搜到。</translation>
    </message>
    <message>
        <source>Allow in robots.txt what pages need to be shown.</source>
        <translation>请在 robots.txt 中允许显示页面所需的文件。</translation>
    </message>
    <message>
        <source>Internal No Response</source>
        <translation>内部：无响应</translation>
    </message>
    <message>
        <source>The server returned no usable response: unknown host, failed connection, invalid certificate, timeout, or something that is not HTTP.</source>
        <translation>服务器没有返回可用的响应：主机不存在、连接失败、证书无效、超时，或响应不是 HTTP。</translation>
    </message>
    <message>
        <source>Visitors see an error of their browser, and search engines drop the URL in time.</source>
        <translation>访问者会看到浏览器的错误页面，搜索引擎会逐渐移除该网址。</translation>
    </message>
    <message>
        <source>Open the URL in a browser. If it works there, crawl it again, more slowly: the server may have been overloaded. If not, repair the server, or correct the links to it.</source>
        <translation>请在浏览器中打开该网址。如果可以打开，请放慢速度重新抓取：服务器当时可能过载。如果不能，请修复服务器，或更正指向它的链接。</translation>
    </message>
    <message>
        <source>Internal Redirection (3xx)</source>
        <translation>内部：重定向 (3xx)</translation>
    </message>
    <message>
        <source>The server redirects this URL to another one by its status code.</source>
        <translation>服务器以状态码将此网址重定向到其他网址。</translation>
    </message>
    <message>
        <source>Each redirect costs visitors time and crawlers a request. Redirects for old addresses are good; links within the site need none.</source>
        <translation>每次重定向都会耗费访问者的时间和爬虫的一次请求。旧网址需要重定向，但站内链接不应经过重定向。</translation>
    </message>
    <message>
        <source>Make links within the site lead to the target. Keep the redirect for others.</source>
        <translation>请让站内链接直接指向目标，并为其他来源保留重定向。</translation>
    </message>
    <message>
        <source>Internal Redirection (JavaScript)</source>
        <translation>内部：重定向 (JavaScript)</translation>
    </message>
    <message>
        <source>A script of the page sends visitors to another URL.</source>
        <translation>页面的脚本把访问者转到其他网址。</translation>
    </message>
    <message>
        <source>Search engines follow it only once they have rendered the page, which can take long or fail, and some crawlers run no scripts at all.</source>
        <translation>搜索引擎只有在渲染页面之后才会跟踪它，这可能耗时很久或失败，有些爬虫则根本不运行脚本。</translation>
    </message>
    <message>
        <source>Redirect on the server instead, with status 301 or 308 if the move is for good.</source>
        <translation>请改在服务器上重定向；如果是永久迁移，请使用状态码 301 或 308。</translation>
    </message>
    <message>
        <source>Internal Redirection (Meta Refresh)</source>
        <translation>内部：重定向 (Meta Refresh)</translation>
    </message>
    <message>
        <source>The page sends visitors on at once by &lt;meta http-equiv=&quot;refresh&quot;&gt;.</source>
        <translation>页面通过 &lt;meta http-equiv=&quot;refresh&quot;&gt; 立即把访问者转走。</translation>
    </message>
    <message>
        <source>Visitors load a page for nothing, and the way back in the browser is broken. Search engines follow it, but recommend redirects on the server.</source>
        <translation>访问者要白白加载一个页面，浏览器的后退也会失灵。搜索引擎会跟踪它，但建议在服务器上重定向。</translation>
    </message>
    <message>
        <source>Internal Redirection (HTTP Refresh)</source>
        <translation>内部：重定向 (HTTP Refresh)</translation>
    </message>
    <message>
        <source>The server sends visitors on at once by a Refresh header.</source>
        <translation>服务器通过 Refresh 标头立即把访问者转走。</translation>
    </message>
    <message>
        <source>Redirect by status 301 or 308 for good, or by 302 or 307 for a time.</source>
        <translation>永久重定向请用状态码 301 或 308，临时重定向请用 302 或 307。</translation>
    </message>
    <message>
        <source>Internal Redirect Chain</source>
        <translation>内部：重定向链</translation>
    </message>
    <message>
        <source>The URL redirects to one that redirects again.</source>
        <translation>该网址重定向到的网址又再次重定向。</translation>
    </message>
    <message>
        <source>Redirect straight to the final address, and make links lead there.</source>
        <translation>请直接重定向到最终网址，并让链接指向那里。</translation>
    </message>
    <message>
        <source>Internal Redirect Loop</source>
        <translation>内部：重定向循环</translation>
    </message>
    <message>
        <source>The redirects from this URL lead back to it and never end.</source>
        <translation>此网址经重定向又回到自身，永无止境。</translation>
    </message>
    <message>
        <source>Browsers give up with an error, so neither visitors nor search engines get a page.</source>
        <translation>浏览器会报错放弃，访问者和搜索引擎都得不到页面。</translation>
    </message>
    <message>
        <source>Find the two rules that contradict each other: often one adds and another removes www, a trailing slash or https.</source>
        <translation>请找出互相矛盾的两条规则：往往一条添加、另一条移除 www、末尾斜杠或 https。</translation>
    </message>
    <message>
        <source>Internal Client Error (4xx)</source>
        <translation>内部：客户端错误 (4xx)</translation>
    </message>
    <message>
        <source>The server returned a status code from 400 to 499, such as 404 Not Found.</source>
        <translation>服务器返回了 400 至 499 的状态码，例如 404 Not Found。</translation>
    </message>
    <message>
        <source>Visitors who follow a link end on an error page. Search engines remove the URL, and what links to it is lost.</source>
        <translation>点击链接的访问者会看到错误页面。搜索引擎会移除该网址，指向它的链接也就白费了。</translation>
    </message>
    <message>
        <source>Correct or remove the links to it. If the page has moved, redirect to its new address; if it is gone by mistake, bring it back.</source>
        <translation>请更正或移除指向它的链接。如果页面已迁移，请重定向到新网址；如果是误删，请恢复。</translation>
    </message>
    <message>
        <source>Internal Server Error (5xx)</source>
        <translation>内部：服务器错误 (5xx)</translation>
    </message>
    <message>
        <source>Visitors get no page. Search engines crawl a site with such errors more slowly, and drop URLs that keep failing.</source>
        <translation>访问者得不到页面。搜索引擎会放慢抓取有此类错误的网站，并移除持续出错的网址。</translation>
    </message>
    <message>
        <source>Look for the time of the crawl in the server&apos;s log. If it happens only during crawls, the server is overloaded: crawl more slowly, and let it handle more.</source>
        <translation>请在服务器日志中查看抓取时段的记录。如果只在抓取时出现，说明服务器过载：请放慢抓取，并提升服务器的承载能力。</translation>
    </message>
    <message>
        <source>Internal Refused to Robots</source>
        <translation>内部：拒绝爬虫</translation>
    </message>
    <message>
        <source>The server turned the crawler away: with status 401, 403, 405, 429 or 999, or with a test for humans. The page may well work in a browser.</source>
        <translation>服务器拒绝了爬虫：状态码为 401、403、405、429 或 999，或要求人机验证。该页面在浏览器中可能完全正常。</translation>
    </message>
    <message>
        <source>What turns this crawler away may turn away search engines, too. Until it is let in, nothing can be said of the page.</source>
        <translation>拒绝本爬虫的机制也可能拒绝搜索引擎。在获准访问之前，无法对该页面作出判断。</translation>
    </message>
    <message>
        <source>Open the URL in a browser. If it works, let the crawler pass the firewall, give it a password, or crawl more slowly.</source>
        <translation>请在浏览器中打开该网址。如果可以打开，请让爬虫通过防火墙、提供密码，或放慢抓取。</translation>
    </message>
    <message>
        <source>Internal Unverified</source>
        <translation>内部：无法确认</translation>
    </message>
    <message>
        <source>Non ASCII Characters</source>
        <translation>非 ASCII 字符</translation>
    </message>
    <message>
        <source>The URL has characters beyond ASCII, such as ä or 中, which are sent percent-encoded.</source>
        <translation>网址含有 ASCII 之外的字符，例如 ä 或 中，发送时会进行百分号编码。</translation>
    </message>
    <message>
        <source>It works in browsers and search engines. But copied to a mail or a chat it often becomes a long row of percent signs that nobody can read, and some tools break it.</source>
        <translation>它在浏览器和搜索引擎中都有效。但复制到邮件或聊天中时，往往会变成一长串无人能读的百分号，有些工具还会把它弄坏。</translation>
    </message>
    <message>
        <source>Keep it if your visitors read that script. Otherwise use plain letters, and redirect the old URL to the new one.</source>
        <translation>如果您的访问者能读懂该文字，可以保留。否则请使用普通字母，并将旧网址重定向到新网址。</translation>
    </message>
    <message>
        <source>Underscores</source>
        <translation>下划线</translation>
    </message>
    <message>
        <source>The path of the URL has an underscore.</source>
        <translation>网址的路径含有下划线。</translation>
    </message>
    <message>
        <source>Google recommends hyphens between words: it may take words that are joined by underscores for a single one.</source>
        <translation>Google 建议在单词之间使用连字符：用下划线连接的单词可能被当成一个词。</translation>
    </message>
    <message>
        <source>Use hyphens in new URLs. Changing a URL that is known already needs a redirect and is seldom worth it.</source>
        <translation>请在新网址中使用连字符。更改已为人所知的网址需要重定向，很少值得。</translation>
    </message>
    <message>
        <source>Uppercase</source>
        <translation>大写字母</translation>
    </message>
    <message>
        <source>The path of the URL has capital letters.</source>
        <translation>网址的路径含有大写字母。</translation>
    </message>
    <message>
        <source>Paths are case-sensitive: /Page and /page are two URLs. Links in both spellings lead to an error or to a duplicate.</source>
        <translation>路径区分大小写：/Page 和 /page 是两个网址。两种写法的链接会导致错误或重复内容。</translation>
    </message>
    <message>
        <source>Use lower case for new URLs, and redirect other spellings to the one you use.</source>
        <translation>新网址请使用小写，并将其他写法重定向到您使用的写法。</translation>
    </message>
    <message>
        <source>Multiple Slashes</source>
        <translation>连续斜杠</translation>
    </message>
    <message>
        <source>The path of the URL has two or more slashes in a row.</source>
        <translation>网址的路径含有两个或更多连续的斜杠。</translation>
    </message>
    <message>
        <source>It usually comes from a mistake in putting a URL together. Most servers return the same page as with one slash, so it has two URLs.</source>
        <translation>这通常是拼接网址时出错所致。多数服务器会返回与单个斜杠相同的页面，于是同一页面有了两个网址。</translation>
    </message>
    <message>
        <source>Correct the links to it, and let the server redirect to the URL with single slashes.</source>
        <translation>请更正指向它的链接，并让服务器重定向到只有单个斜杠的网址。</translation>
    </message>
    <message>
        <source>Repetitive Path</source>
        <translation>路径重复</translation>
    </message>
    <message>
        <source>A part of the path occurs twice, as in /shop/shoes/shop/.</source>
        <translation>路径中的某一段出现了两次，例如 /shop/shoes/shop/。</translation>
    </message>
    <message>
        <source>It may come from a relative link that lacks its leading slash. Where the server accepts any path, such links yield new URLs for ever.</source>
        <translation>原因可能是相对链接缺少开头的斜杠。如果服务器接受任意路径，这样的链接会无休止地产生新网址。</translation>
    </message>
    <message>
        <source>Look at the pages that link to it. If a relative link is the cause, make it begin with a slash, and let the server return 404 for paths that do not exist.</source>
        <translation>请查看链接到它的页面。如果原因是相对链接，请让它以斜杠开头，并让服务器对不存在的路径返回 404。</translation>
    </message>
    <message>
        <source>Contains A Space</source>
        <translation>含有空格</translation>
    </message>
    <message>
        <source>The URL has a space, which is sent as %20.</source>
        <translation>网址含有空格，发送时写作 %20。</translation>
    </message>
    <message>
        <source>Spaces cannot be part of a URL. In texts and mails, links often end at the first one.</source>
        <translation>网址中不能有空格。在文本和邮件中，链接往往在第一个空格处中断。</translation>
    </message>
    <message>
        <source>Use hyphens instead, and redirect the old URL to the new one.</source>
        <translation>请改用连字符，并将旧网址重定向到新网址。</translation>
    </message>
    <message>
        <source>Internal Search</source>
        <translation>站内搜索</translation>
    </message>
    <message>
        <source>The URL looks like results of the site&apos;s own search: a parameter q, s, query or search, or a folder named search.</source>
        <translation>该网址看似站内搜索的结果：含有参数 q、s、query 或 search，或名为 search 的目录。</translation>
    </message>
    <message>
        <source>There are as many such pages as there are searches. Search engines do not want to list them, and crawling them takes time from the pages that matter.</source>
        <translation>有多少种搜索，就有多少个这样的页面。搜索引擎不愿收录它们，抓取它们还会占用重要页面的抓取时间。</translation>
    </message>
    <message>
        <source>Disallow the search in robots.txt, or make its results noindex. Do not link to them.</source>
        <translation>请在 robots.txt 中禁止抓取搜索，或将其结果设为 noindex，并且不要链接到它们。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>The URL has parameters after a question mark.</source>
        <translation>网址的问号之后带有参数。</translation>
    </message>
    <message>
        <source>Parameters that sort, filter or track give one page many URLs. Search engines crawl all of them and choose one to list.</source>
        <translation>用于排序、筛选或跟踪的参数会让一个页面有许多网址。搜索引擎会全部抓取，再选其一收录。</translation>
    </message>
    <message>
        <source>Leave out parameters that do not change the content, or name the URL without them as canonical. Parameters that select the content are fine.</source>
        <translation>请去掉不影响内容的参数，或将不带参数的网址设为规范网址。用于选择内容的参数没有问题。</translation>
    </message>
    <message>
        <source>Broken Bookmark</source>
        <translation>失效的书签</translation>
    </message>
    <message>
        <source>The page has a link to a fragment, such as /page#prices, but the target page has no element with that id or name.</source>
        <translation>页面有指向片段的链接，例如 /page#prices，但目标页面没有具有该 id 或 name 的元素。</translation>
    </message>
    <message>
        <source>The link opens the top of the page instead of the part that it promises.</source>
        <translation>链接打开的是页面顶部，而不是它所指的部分。</translation>
    </message>
    <message>
        <source>Correct the fragment, or give the element its id back.</source>
        <translation>请更正片段，或恢复该元素的 id。</translation>
    </message>
    <message>
        <source>GA Tracking Parameters</source>
        <translation>GA 跟踪参数</translation>
    </message>
    <message>
        <source>The URL has parameters of Google Analytics or Ads, such as utm_source or gclid.</source>
        <translation>网址带有 Google Analytics 或 Google Ads 的参数，例如 utm_source 或 gclid。</translation>
    </message>
    <message>
        <source>They are for links on other sites. On links within the site they overwrite where a visitor really came from, and give the page a second URL.</source>
        <translation>它们用于其他网站上的链接。用在站内链接上会覆盖访问者的真实来源，并让页面多出一个网址。</translation>
    </message>
    <message>
        <source>Remove them from links within the site. To count clicks on such links, use events.</source>
        <translation>请从站内链接中移除它们。要统计这类链接的点击，请使用事件。</translation>
    </message>
    <message>
        <source>The URL is long.</source>
        <translation>网址较长。</translation>
    </message>
    <message>
        <source>Long URLs are cut where they are shown, and are hard to read, copy and share.</source>
        <translation>过长的网址在显示时会被截断，也不便阅读、复制和分享。</translation>
    </message>
    <message>
        <source>Choose a short, descriptive path for new pages. A known URL is best left as it is.</source>
        <translation>请为新页面选择简短易懂的路径。已为人所知的网址最好保持不变。</translation>
    </message>
    <message>
        <source>Images Must Have Alternative Text</source>
        <translation>图片必须有替代文本</translation>
    </message>
    <message>
        <source>The page has images without an alt attribute or any other text alternative.</source>
        <translation>该页面有些图片没有 alt 属性，也没有其他文字替代。</translation>
    </message>
    <message>
        <source>Screen readers can only say that there is an image, or read out its file name.</source>
        <translation>屏幕阅读器只能说这里有一张图片，或读出文件名。</translation>
    </message>
    <message>
        <source>Describe each image in its alt attribute. Give images that are mere decoration an empty one: alt=&quot;&quot;.</source>
        <translation>请在 alt 属性中描述每张图片。纯装饰性图片请使用空值：alt=&quot;&quot;。</translation>
    </message>
    <message>
        <source>Form Elements Must Have Labels</source>
        <translation>表单元素必须有标签</translation>
    </message>
    <message>
        <source>The page has form fields without a label, aria-label, aria-labelledby or title.</source>
        <translation>该页面有些表单字段没有 label、aria-label、aria-labelledby 或 title。</translation>
    </message>
    <message>
        <source>Visitors with screen readers do not learn what to enter. A placeholder is not a label: it vanishes on input.</source>
        <translation>使用屏幕阅读器的访问者不知道该填写什么。占位文字不是标签，输入时它会消失。</translation>
    </message>
    <message>
        <source>Associate a &lt;label&gt; with each field, by its for attribute or by wrapping the field.</source>
        <translation>请通过 for 属性或将字段包在其中，为每个字段关联一个 &lt;label&gt;。</translation>
    </message>
    <message>
        <source>&lt;html&gt; Element Must Have A lang Attribute</source>
        <translation>&lt;html&gt; 元素必须有 lang 属性</translation>
    </message>
    <message>
        <source>The &lt;html&gt; element has no lang attribute, or an empty one.</source>
        <translation>&lt;html&gt; 元素没有 lang 属性，或其值为空。</translation>
    </message>
    <message>
        <source>Screen readers do not know in which language to read the page, and browsers not from which to translate it.</source>
        <translation>屏幕阅读器不知道用什么语言朗读页面，浏览器也不知道从什么语言翻译。</translation>
    </message>
    <message>
        <source>Add the language of the page, such as &lt;html lang=&quot;en&quot;&gt;.</source>
        <translation>请添加页面的语言，例如 &lt;html lang=&quot;zh&quot;&gt;。</translation>
    </message>
    <message>
        <source>Heading Levels Should Only Increase By One</source>
        <translation>标题级别每次只应增加一级</translation>
    </message>
    <message>
        <source>A heading is more than one level below the one before it, such as an &lt;h4&gt; after an &lt;h2&gt;.</source>
        <translation>某个标题比前一个标题低了不止一级，例如 &lt;h2&gt; 之后是 &lt;h4&gt;。</translation>
    </message>
    <message>
        <source>Visitors with screen readers move from heading to heading, and a skipped level looks like a missing part.</source>
        <translation>使用屏幕阅读器的访问者会逐个标题浏览，跳过的级别像是缺了一部分。</translation>
    </message>
    <message>
        <source>Choose heading levels by the structure of the page, and their size with CSS.</source>
        <translation>请按页面结构选择标题级别，用 CSS 设置大小。</translation>
    </message>
    <message>
        <source>Links Must Have Discernible Text</source>
        <translation>链接必须有可辨识的文字</translation>
    </message>
    <message>
        <source>The page has links without text, alternative text or aria-label.</source>
        <translation>该页面有些链接既无文字，也无替代文本或 aria-label。</translation>
    </message>
    <message>
        <source>Screen readers can only read out the URL of such a link, or nothing but &quot;link&quot;.</source>
        <translation>对于这类链接，屏幕阅读器只能读出网址，或只说“链接”。</translation>
    </message>
    <message>
        <source>Give each link a text. For an icon, describe the target in its alt attribute or an aria-label.</source>
        <translation>请为每个链接添加文字。如果是图标，请在 alt 属性或 aria-label 中说明目标。</translation>
    </message>
    <message>
        <source>Buttons Must Have Discernible Text</source>
        <translation>按钮必须有可辨识的文字</translation>
    </message>
    <message>
        <source>The page has buttons without text, alternative text or aria-label.</source>
        <translation>该页面有些按钮既无文字，也无替代文本或 aria-label。</translation>
    </message>
    <message>
        <source>Visitors with screen readers hear only &quot;button&quot;, and do not learn what it does.</source>
        <translation>使用屏幕阅读器的访问者只听到“按钮”，不知道它的作用。</translation>
    </message>
    <message>
        <source>Give each button a text. For an icon, add an aria-label such as &quot;Search&quot;.</source>
        <translation>请为每个按钮添加文字。如果是图标，请添加 aria-label，例如“搜索”。</translation>
    </message>
    <message>
        <source>Non-200 Response</source>
        <translation>响应非 200</translation>
    </message>
    <message>
        <source>The AMP version that the page names does not return status code 200.</source>
        <translation>该页面指定的 AMP 版本返回的状态码不是 200。</translation>
    </message>
    <message>
        <source>Search engines cannot use the AMP version, and visitors who follow it meet an error or a detour.</source>
        <translation>搜索引擎无法使用该 AMP 版本，打开它的访问者会遇到错误或被转到别处。</translation>
    </message>
    <message>
        <source>Correct the amphtml link, repair the AMP page, or remove the link.</source>
        <translation>请更正 amphtml 链接、修复 AMP 页面，或删除该链接。</translation>
    </message>
    <message>
        <source>Missing Non-AMP Return Link</source>
        <translation>缺少非 AMP 页面的返回链接</translation>
    </message>
    <message>
        <source>The page that this AMP page names as its canonical does not name it in an amphtml link.</source>
        <translation>该 AMP 页面指定为规范网址的页面没有通过 amphtml 链接指回它。</translation>
    </message>
    <message>
        <source>Search engines connect the two only if each names the other, so they may not find the AMP version.</source>
        <translation>只有两者互相指定，搜索引擎才会将它们关联起来，否则可能发现不了 AMP 版本。</translation>
    </message>
    <message>
        <source>Add &lt;link rel=&quot;amphtml&quot;&gt; with the URL of the AMP page to the &lt;head&gt; of the canonical page.</source>
        <translation>请在规范网址页面的 &lt;head&gt; 中添加 &lt;link rel=&quot;amphtml&quot;&gt;，其值为 AMP 页面的网址。</translation>
    </message>
    <message>
        <source>Missing Canonical to Non-AMP</source>
        <translation>缺少指向非 AMP 页面的规范网址</translation>
    </message>
    <message>
        <source>This AMP page does not name the page without AMP that it belongs to as its canonical.</source>
        <translation>该 AMP 页面没有将所属的非 AMP 页面指定为规范网址。</translation>
    </message>
    <message>
        <source>Search engines take the two for separate pages with the same content.</source>
        <translation>搜索引擎会将两者视为内容相同的独立页面。</translation>
    </message>
    <message>
        <source>Name the page without AMP as the canonical of the AMP page.</source>
        <translation>请将非 AMP 页面指定为该 AMP 页面的规范网址。</translation>
    </message>
    <message>
        <source>The page that this AMP page names as its canonical is not indexable.</source>
        <translation>该 AMP 页面指定为规范网址的页面不可索引。</translation>
    </message>
    <message>
        <source>Neither of the two may then appear in search results.</source>
        <translation>这样两个页面可能都不会出现在搜索结果中。</translation>
    </message>
    <message>
        <source>Name an indexable page as the canonical, or make that page indexable.</source>
        <translation>请将可索引的页面指定为规范网址，或让该页面可以索引。</translation>
    </message>
    <message>
        <source>Indexable</source>
        <translation>可索引</translation>
    </message>
    <message>
        <source>An AMP page that is indexable itself.</source>
        <translation>可索引的 AMP 页面。</translation>
    </message>
    <message>
        <source>This is right for a page that exists as AMP alone. One with a version without AMP should name that as its canonical.</source>
        <translation>只有 AMP 版本的页面理应如此。如果另有非 AMP 版本，则应将其指定为规范网址。</translation>
    </message>
    <message>
        <source>Nothing to do for pages that are AMP alone. Otherwise add the canonical.</source>
        <translation>只有 AMP 版本的页面无需处理，否则请添加规范网址。</translation>
    </message>
    <message>
        <source>An AMP page that is not indexable.</source>
        <translation>不可索引的 AMP 页面。</translation>
    </message>
    <message>
        <source>This is usual: it names the page without AMP as its canonical.</source>
        <translation>这很常见：它将非 AMP 页面指定为规范网址。</translation>
    </message>
    <message>
        <source>Nothing to do, if its canonical is the reason. An AMP page should not be noindex or blocked by robots.txt.</source>
        <translation>如果原因是规范网址，则无需处理。AMP 页面不应设有 noindex 或被 robots.txt 阻止。</translation>
    </message>
    <message>
        <source>Noindex Only in Original HTML</source>
        <translation>仅原始 HTML 含 noindex</translation>
    </message>
    <message>
        <source>The original HTML says noindex, but the rendered page does not.</source>
        <translation>原始 HTML 设有 noindex，但渲染后的页面没有。</translation>
    </message>
    <message>
        <source>Google may not render a page that says noindex, so the script that removes it never runs.</source>
        <translation>Google 可能不渲染设有 noindex 的页面，因此删除它的脚本不会运行。</translation>
    </message>
    <message>
        <source>Remove noindex from the original HTML if the page should be found.</source>
        <translation>如果希望该页面被找到，请从原始 HTML 中删除 noindex。</translation>
    </message>
    <message>
        <source>Nofollow Only in Original HTML</source>
        <translation>仅原始 HTML 含 nofollow</translation>
    </message>
    <message>
        <source>The original HTML says nofollow, but the rendered page does not.</source>
        <translation>原始 HTML 设有 nofollow，但渲染后的页面没有。</translation>
    </message>
    <message>
        <source>Search engines may decide about the links before a script removes nofollow.</source>
        <translation>搜索引擎可能在脚本删除 nofollow 之前就已决定如何处理链接。</translation>
    </message>
    <message>
        <source>Remove nofollow from the original HTML if the links should be followed.</source>
        <translation>如果希望链接被跟踪，请从原始 HTML 中删除 nofollow。</translation>
    </message>
    <message>
        <source>Canonical Only in Rendered HTML</source>
        <translation>规范网址仅在渲染后的 HTML 中</translation>
    </message>
    <message>
        <source>JavaScript adds the canonical: the original HTML has none.</source>
        <translation>规范网址由 JavaScript 添加，原始 HTML 中没有。</translation>
    </message>
    <message>
        <source>Search engines that do not render pages see no canonical, and the others see it late.</source>
        <translation>不渲染页面的搜索引擎看不到规范网址，其他搜索引擎也要晚些才能看到。</translation>
    </message>
    <message>
        <source>Put the canonical into the original HTML.</source>
        <translation>请将规范网址放入原始 HTML。</translation>
    </message>
    <message>
        <source>Canonical Mismatch</source>
        <translation>规范网址不一致</translation>
    </message>
    <message>
        <source>The canonical of the rendered page is not that of the original HTML.</source>
        <translation>渲染后页面的规范网址与原始 HTML 中的不同。</translation>
    </message>
    <message>
        <source>Search engines see two different canonicals, and may use either.</source>
        <translation>搜索引擎会看到两个不同的规范网址，可能采用其中任何一个。</translation>
    </message>
    <message>
        <source>Put the right canonical into the original HTML, and let no script change it.</source>
        <translation>请将正确的规范网址放入原始 HTML，并且不要让脚本修改它。</translation>
    </message>
    <message>
        <source>Page Title Only in Rendered HTML</source>
        <translation>页面标题仅在渲染后的 HTML 中</translation>
    </message>
    <message>
        <source>JavaScript adds the title: the original HTML has none.</source>
        <translation>标题由 JavaScript 添加，原始 HTML 中没有。</translation>
    </message>
    <message>
        <source>Crawlers that do not render pages, such as those of many AI services and social networks, see a page without a title.</source>
        <translation>不渲染页面的爬虫（例如许多 AI 服务和社交网络的爬虫）看到的是没有标题的页面。</translation>
    </message>
    <message>
        <source>Put the title into the original HTML.</source>
        <translation>请将标题放入原始 HTML。</translation>
    </message>
    <message>
        <source>Page Title Updated by JavaScript</source>
        <translation>页面标题被 JavaScript 修改</translation>
    </message>
    <message>
        <source>JavaScript changes the title.</source>
        <translation>JavaScript 修改了标题。</translation>
    </message>
    <message>
        <source>Search engines may show either of the two titles. Crawlers that do not render pages know only the original one.</source>
        <translation>搜索引擎可能显示两个标题中的任何一个。不渲染页面的爬虫只知道原来的标题。</translation>
    </message>
    <message>
        <source>Put the final title into the original HTML.</source>
        <translation>请将最终的标题放入原始 HTML。</translation>
    </message>
    <message>
        <source>Meta Description Only in Rendered HTML</source>
        <translation>元描述仅在渲染后的 HTML 中</translation>
    </message>
    <message>
        <source>JavaScript adds the meta description: the original HTML has none.</source>
        <translation>元描述由 JavaScript 添加，原始 HTML 中没有。</translation>
    </message>
    <message>
        <source>Crawlers that do not render pages see none, so previews and search results may show any text of the page.</source>
        <translation>不渲染页面的爬虫看不到元描述，因此预览和搜索结果可能显示页面中的任意文字。</translation>
    </message>
    <message>
        <source>Put the meta description into the original HTML.</source>
        <translation>请将元描述放入原始 HTML。</translation>
    </message>
    <message>
        <source>Meta Description Updated by JavaScript</source>
        <translation>元描述被 JavaScript 修改</translation>
    </message>
    <message>
        <source>JavaScript changes the meta description.</source>
        <translation>JavaScript 修改了元描述。</translation>
    </message>
    <message>
        <source>Search engines may show either of the two descriptions. Crawlers that do not render pages know only the original one.</source>
        <translation>搜索引擎可能显示两个描述中的任何一个。不渲染页面的爬虫只知道原来的描述。</translation>
    </message>
    <message>
        <source>Put the final meta description into the original HTML.</source>
        <translation>请将最终的元描述放入原始 HTML。</translation>
    </message>
    <message>
        <source>H1 Only in Rendered HTML</source>
        <translation>H1 仅在渲染后的 HTML 中</translation>
    </message>
    <message>
        <source>JavaScript adds the &lt;h1&gt;: the original HTML has none.</source>
        <translation>&lt;h1&gt; 由 JavaScript 添加，原始 HTML 中没有。</translation>
    </message>
    <message>
        <source>Crawlers that do not render pages see no main heading, which is a strong hint at what the page is about.</source>
        <translation>主标题是判断页面主题的重要依据，而不渲染页面的爬虫看不到它。</translation>
    </message>
    <message>
        <source>Put the &lt;h1&gt; into the original HTML.</source>
        <translation>请将 &lt;h1&gt; 放入原始 HTML。</translation>
    </message>
    <message>
        <source>H1 Updated by JavaScript</source>
        <translation>H1 被 JavaScript 修改</translation>
    </message>
    <message>
        <source>JavaScript changes the &lt;h1&gt;.</source>
        <translation>JavaScript 修改了 &lt;h1&gt;。</translation>
    </message>
    <message>
        <source>Search engines may use either of the two headings. Crawlers that do not render pages know only the original one.</source>
        <translation>搜索引擎可能采用两个标题中的任何一个。不渲染页面的爬虫只知道原来的标题。</translation>
    </message>
    <message>
        <source>Put the final &lt;h1&gt; into the original HTML.</source>
        <translation>请将最终的 &lt;h1&gt; 放入原始 HTML。</translation>
    </message>
    <message>
        <source>Contains JavaScript Links</source>
        <translation>有 JavaScript 链接</translation>
    </message>
    <message>
        <source>The rendered page has links that the original HTML has not.</source>
        <translation>渲染后的页面中有原始 HTML 没有的链接。</translation>
    </message>
    <message>
        <source>Such links are found only after rendering: late, or not at all by crawlers that do not render pages.</source>
        <translation>这类链接只有在渲染后才能被发现：要么很晚，要么（对不渲染页面的爬虫而言）根本发现不了。</translation>
    </message>
    <message>
        <source>Put links to important pages into the original HTML.</source>
        <translation>请将指向重要页面的链接放入原始 HTML。</translation>
    </message>
    <message>
        <source>Contains JavaScript Content</source>
        <translation>有 JavaScript 内容</translation>
    </message>
    <message>
        <source>The rendered page has text that the original HTML has not.</source>
        <translation>渲染后的页面中有原始 HTML 没有的文字。</translation>
    </message>
    <message>
        <source>Crawlers that do not render pages do not see this text, and the others see it later.</source>
        <translation>不渲染页面的爬虫看不到这些文字，其他爬虫也要晚些才能看到。</translation>
    </message>
    <message>
        <source>Put the text that matters into the original HTML, for example by rendering on the server.</source>
        <translation>请将重要的文字放入原始 HTML，例如采用服务器端渲染。</translation>
    </message>
    <message>
        <source>Pages with Blocked Resources</source>
        <translation>资源被阻止的页面</translation>
    </message>
    <message>
        <source>robots.txt blocks scripts, style sheets or other files that the page needs.</source>
        <translation>robots.txt 阻止了页面所需的脚本、样式表或其他文件。</translation>
    </message>
    <message>
        <source>Search engines cannot load these files either, so they may see an incomplete page.</source>
        <translation>搜索引擎同样无法加载这些文件，因此看到的页面可能不完整。</translation>
    </message>
    <message>
        <source>Allow the files in robots.txt.</source>
        <translation>请在 robots.txt 中允许这些文件。</translation>
    </message>
    <message>
        <source>Pages with Chrome Console Log Errors/Warnings</source>
        <translation>Chrome 控制台有错误或警告的页面</translation>
    </message>
    <message>
        <source>The browser logged errors or warnings while it rendered the page.</source>
        <translation>浏览器渲染页面时记录了错误或警告。</translation>
    </message>
    <message>
        <source>An error may stop a script before it adds its content to the page.</source>
        <translation>错误可能使脚本中断，来不及将内容添加到页面。</translation>
    </message>
    <message>
        <source>Open the page in a browser with developer tools, and correct what the console shows.</source>
        <translation>请在浏览器中打开该页面和开发者工具，并更正控制台显示的问题。</translation>
    </message>
    <message>
        <source>Uses Old AJAX Crawling Scheme</source>
        <translation>使用旧的 AJAX 抓取方案</translation>
    </message>
    <message>
        <source>The page has &lt;meta name=&quot;fragment&quot; content=&quot;!&quot;&gt;, the sign of an old scheme for pages made by JavaScript.</source>
        <translation>该页面有 &lt;meta name=&quot;fragment&quot; content=&quot;!&quot;&gt;，这是用于 JavaScript 页面的旧方案的标志。</translation>
    </message>
    <message>
        <source>Search engines no longer ask for the HTML that the scheme promises: Google dropped it in 2018.</source>
        <translation>搜索引擎不再请求该方案所承诺的 HTML：Google 已于 2018 年停用。</translation>
    </message>
    <message>
        <source>Remove the element, and deliver the content as HTML.</source>
        <translation>请删除该元素，并以 HTML 提供内容。</translation>
    </message>
    <message>
        <source>Outlinks To Localhost</source>
        <translation>指向 localhost 的出链</translation>
    </message>
    <message>
        <source>The page has links to localhost or another loopback address.</source>
        <translation>该页面有指向 localhost 或其他环回地址的链接。</translation>
    </message>
    <message>
        <source>They work only on the computer of the person who made the page, and lead nowhere for everyone else.</source>
        <translation>它们只在页面制作者的计算机上有效，对其他人都是死链。</translation>
    </message>
    <message>
        <source>Replace them by links to the public site.</source>
        <translation>请改为指向公开网站的链接。</translation>
    </message>
    <message>
        <source>Pages Without Internal Outlinks</source>
        <translation>没有内部出链的页面</translation>
    </message>
    <message>
        <source>The page has no links to other pages of the site.</source>
        <translation>该页面没有指向站内其他页面的链接。</translation>
    </message>
    <message>
        <source>It is a dead end for visitors and crawlers. Or its links are made by JavaScript and cannot be seen in the HTML.</source>
        <translation>对访问者和爬虫来说这是死胡同；也可能链接由 JavaScript 生成，在 HTML 中看不到。</translation>
    </message>
    <message>
        <source>Add links to related pages, such as a navigation, as &lt;a href&gt; in the HTML.</source>
        <translation>请在 HTML 中用 &lt;a href&gt; 添加指向相关页面的链接，例如导航。</translation>
    </message>
    <message>
        <source>Pages With Uncrawlable Internal Outlinks</source>
        <translation>有无法抓取的内部出链的页面</translation>
    </message>
    <message>
        <source>The page has links that only work with JavaScript: javascript: URLs, or &lt;a&gt; without href but with onclick or routerLink.</source>
        <translation>该页面有依赖 JavaScript 的链接：javascript: 网址，或没有 href 而带 onclick 或 routerLink 的 &lt;a&gt;。</translation>
    </message>
    <message>
        <source>Search engines follow &lt;a&gt; elements with a URL in href alone, so they may not find what these links lead to.</source>
        <translation>搜索引擎只跟踪 href 中有网址的 &lt;a&gt; 元素，因此可能发现不了这些链接的目标。</translation>
    </message>
    <message>
        <source>Give each link an href with the URL of its target. Scripts may still handle the click. Use &lt;button&gt; for actions.</source>
        <translation>请为每个链接设置 href，其值为目标网址；点击仍可由脚本处理。操作请使用 &lt;button&gt;。</translation>
    </message>
    <message>
        <source>Non-Indexable Page Inlinks Only</source>
        <translation>仅有来自不可索引页面的入链</translation>
    </message>
    <message>
        <source>Only pages that are not indexable link to this indexable page.</source>
        <translation>只有不可索引的页面链接到该可索引页面。</translation>
    </message>
    <message>
        <source>Search engines visit such pages rarely and drop their links in time, so this page may lose its ranking or never be found.</source>
        <translation>搜索引擎很少访问这类页面，久而久之会忽略其中的链接，因此该页面可能失去排名，或根本不被发现。</translation>
    </message>
    <message>
        <source>Link to it from at least one indexable page.</source>
        <translation>请至少从一个可索引的页面链接到它。</translation>
    </message>
    <message>
        <source>Pages With High Crawl Depth</source>
        <translation>抓取深度过大的页面</translation>
    </message>
    <message>
        <source>The page is many clicks away from the start of the crawl.</source>
        <translation>该页面距离抓取起点的点击次数很多。</translation>
    </message>
    <message>
        <source>Visitors seldom click that far, and crawlers visit such pages less often.</source>
        <translation>访问者很少点击这么深，爬虫也较少访问这类页面。</translation>
    </message>
    <message>
        <source>Link to important pages from the home page, from categories or from related pages.</source>
        <translation>请从首页、分类页或相关页面链接到重要的页面。</translation>
    </message>
    <message>
        <source>Pages With High Internal Outlinks</source>
        <translation>内部出链过多的页面</translation>
    </message>
    <message>
        <source>The page links to very many other pages of the site.</source>
        <translation>该页面链接到站内非常多的其他页面。</translation>
    </message>
    <message>
        <source>Visitors can hardly find their way among so many links, and each of them counts for less.</source>
        <translation>链接太多，访问者很难找到所需，每个链接的分量也更小。</translation>
    </message>
    <message>
        <source>Keep the links that help visitors of this page. Split long lists into several pages.</source>
        <translation>请保留对该页面的访问者有用的链接，并将长列表拆分为多个页面。</translation>
    </message>
    <message>
        <source>Pages With High External Outlinks</source>
        <translation>外部出链过多的页面</translation>
    </message>
    <message>
        <source>The page links to very many URLs of other sites.</source>
        <translation>该页面链接到其他网站的非常多的网址。</translation>
    </message>
    <message>
        <source>This may be fine, but it is also a sign of spam in comments, or of links that a plugin or an attacker has added.</source>
        <translation>这可能没有问题，但也可能意味着评论中有垃圾信息，或者插件或攻击者添加了链接。</translation>
    </message>
    <message>
        <source>Check that you know all of these links. Mark those of users with rel=&quot;ugc&quot; and paid ones with rel=&quot;sponsored&quot;.</source>
        <translation>请确认您了解所有这些链接。用户添加的链接请标记 rel=&quot;ugc&quot;，付费链接请标记 rel=&quot;sponsored&quot;。</translation>
    </message>
    <message>
        <source>Internal Nofollow Outlinks</source>
        <translation>内部 nofollow 出链</translation>
    </message>
    <message>
        <source>The page has links with rel=&quot;nofollow&quot; to other pages of the site.</source>
        <translation>该页面有带 rel=&quot;nofollow&quot; 的链接指向站内其他页面。</translation>
    </message>
    <message>
        <source>Search engines may ignore them, so the pages they lead to are found later and look less important.</source>
        <translation>搜索引擎可能忽略这些链接，因此目标页面会更晚被发现，也显得不那么重要。</translation>
    </message>
    <message>
        <source>Remove nofollow from internal links. To keep pages out of search results, use noindex instead.</source>
        <translation>请从内部链接中删除 nofollow。如果不想让页面出现在搜索结果中，请改用 noindex。</translation>
    </message>
    <message>
        <source>Internal Nofollow Inlinks Only</source>
        <translation>仅有内部 nofollow 入链</translation>
    </message>
    <message>
        <source>All links to this page from other pages of the site are nofollow.</source>
        <translation>站内其他页面指向该页面的链接全部是 nofollow。</translation>
    </message>
    <message>
        <source>Search engines may not find the page, or take it for an unimportant one.</source>
        <translation>搜索引擎可能发现不了该页面，或认为它不重要。</translation>
    </message>
    <message>
        <source>Remove nofollow from links to this page if it should be found.</source>
        <translation>如果希望该页面被找到，请从指向它的链接中删除 nofollow。</translation>
    </message>
    <message>
        <source>Follow &amp; Nofollow Internal Inlinks To Page</source>
        <translation>同时有 follow 和 nofollow 的内部入链</translation>
    </message>
    <message>
        <source>Some pages of the site link to this page with nofollow, and others without.</source>
        <translation>站内有些页面用 nofollow 链接到该页面，有些则没有。</translation>
    </message>
    <message>
        <source>Nofollow has no effect here, as search engines follow the other links. It is often left over or added by mistake.</source>
        <translation>搜索引擎会跟踪其他链接，因此这里的 nofollow 不起作用。它往往是遗留或误加的。</translation>
    </message>
    <message>
        <source>Decide whether the links are to be followed, and treat them all alike.</source>
        <translation>请确定这些链接是否应被跟踪，并统一处理。</translation>
    </message>
    <message>
        <source>Internal Outlinks With No Anchor Text</source>
        <translation>没有锚文本的内部出链</translation>
    </message>
    <message>
        <source>The page has internal links without text, alternative text or aria-label.</source>
        <translation>该页面有既无文字、也无替代文本或 aria-label 的内部链接。</translation>
    </message>
    <message>
        <source>The text of a link tells visitors, screen readers and search engines what its target is about.</source>
        <translation>链接的文字告诉访问者、屏幕阅读器和搜索引擎目标页面的内容。</translation>
    </message>
    <message>
        <source>Give each link a text. Where an image is the link, describe the target in its alt attribute.</source>
        <translation>请为每个链接添加文字。如果链接是图片，请在 alt 属性中说明目标。</translation>
    </message>
    <message>
        <source>Non-Descriptive Anchor Text In Internal Outlinks</source>
        <translation>锚文本无描述性的内部出链</translation>
    </message>
    <message>
        <source>The page has internal links whose text says nothing about the target, such as &quot;click here&quot; or &quot;read more&quot;.</source>
        <translation>该页面有些内部链接的文字没有说明目标，例如“点击这里”或“更多”。</translation>
    </message>
    <message>
        <source>Visitors who skim, screen readers that list links, and search engines all rely on the text of links.</source>
        <translation>快速浏览的访问者、列出链接的屏幕阅读器以及搜索引擎都依赖链接的文字。</translation>
    </message>
    <message>
        <source>Name the target in the text of the link, such as &quot;delivery times&quot;.</source>
        <translation>请在链接的文字中写明目标，例如“送货时间”。</translation>
    </message>
    <message>
        <source>Viewport Not Set</source>
        <translation>未设置视口</translation>
    </message>
    <message>
        <source>The page has no &lt;meta name=&quot;viewport&quot;&gt; that sets a width or a scale.</source>
        <translation>该页面没有设置宽度或缩放比例的 &lt;meta name=&quot;viewport&quot;&gt;。</translation>
    </message>
    <message>
        <source>Phones then show it as a desktop screen made small, with tiny text. Google indexes the mobile view of pages.</source>
        <translation>手机会将它当作缩小的桌面屏幕显示，文字非常小。Google 以移动版页面编制索引。</translation>
    </message>
    <message>
        <source>Add &lt;meta name=&quot;viewport&quot; content=&quot;width=device-width, initial-scale=1&quot;&gt; to the &lt;head&gt;.</source>
        <translation>请在 &lt;head&gt; 中添加 &lt;meta name=&quot;viewport&quot; content=&quot;width=device-width, initial-scale=1&quot;&gt;。</translation>
    </message>
    <message>
        <source>Target Size</source>
        <translation>点击目标大小</translation>
    </message>
    <message>
        <source>Links or buttons are so small or close to each other that fingers may touch the wrong one.</source>
        <translation>链接或按钮太小或彼此太近，手指可能碰错。</translation>
    </message>
    <message>
        <source>Visitors with phones or unsteady hands open what they did not mean to.</source>
        <translation>使用手机或手部不稳的访问者会打开并不想打开的内容。</translation>
    </message>
    <message>
        <source>Give each target at least 24 by 24 CSS pixels, or space around it.</source>
        <translation>请让每个目标至少有 24 × 24 CSS 像素，或在四周留出空间。</translation>
    </message>
    <message>
        <source>Content Not Sized Correctly</source>
        <translation>内容宽度不合适</translation>
    </message>
    <message>
        <source>The content is wider than the screen of a phone.</source>
        <translation>内容比手机屏幕宽。</translation>
    </message>
    <message>
        <source>Visitors must scroll sideways or zoom out to read it.</source>
        <translation>访问者必须横向滚动或缩小页面才能阅读。</translation>
    </message>
    <message>
        <source>Use relative widths, and let images and tables shrink, for example with max-width: 100%.</source>
        <translation>请使用相对宽度，并让图片和表格可以缩小，例如使用 max-width: 100%。</translation>
    </message>
    <message>
        <source>Illegible Font Size</source>
        <translation>字号过小</translation>
    </message>
    <message>
        <source>Much of the text is smaller than 12 pixels on the screen of a phone.</source>
        <translation>在手机屏幕上，许多文字小于 12 像素。</translation>
    </message>
    <message>
        <source>Visitors must zoom in to read it, and many leave instead.</source>
        <translation>访问者必须放大才能阅读，许多人会直接离开。</translation>
    </message>
    <message>
        <source>Use a font size of 16 pixels for running text and no less than 12 pixels anywhere, and set the viewport.</source>
        <translation>正文请使用 16 像素的字号，其他文字不小于 12 像素，并设置视口。</translation>
    </message>
    <message>
        <source>Mobile Alternate Link</source>
        <translation>移动版备用链接</translation>
    </message>
    <message>
        <source>The page names another URL as its version for small screens.</source>
        <translation>该页面将另一网址指定为小屏幕版本。</translation>
    </message>
    <message>
        <source>Google advises against separate mobile URLs: they are hard to keep the same, and redirects between them are prone to errors.</source>
        <translation>Google 不建议使用单独的移动版网址：两者难以保持一致，它们之间的重定向也容易出错。</translation>
    </message>
    <message>
        <source>Consider one responsive page for all screens. If you keep both, the mobile page must name this one as its canonical.</source>
        <translation>请考虑为所有屏幕使用一个自适应页面。如果保留两者，移动版页面必须将该页面指定为规范网址。</translation>
    </message>
    <message>
        <source>URLs in Sitemap</source>
        <translation>在站点地图中的网址</translation>
    </message>
    <message>
        <source>The URL is listed in an XML sitemap.</source>
        <translation>该网址列在 XML 站点地图中。</translation>
    </message>
    <message>
        <source>Sitemaps help search engines to find URLs and to notice changes.</source>
        <translation>站点地图帮助搜索引擎发现网址并注意到变化。</translation>
    </message>
    <message>
        <source>Nothing to do.</source>
        <translation>无需处理。</translation>
    </message>
    <message>
        <source>URLs not in Sitemap</source>
        <translation>不在站点地图中的网址</translation>
    </message>
    <message>
        <source>The page is indexable, but no sitemap of the site lists it.</source>
        <translation>该页面可索引，但网站的站点地图中没有列出。</translation>
    </message>
    <message>
        <source>Search engines may find it later, above all on a large or new site.</source>
        <translation>搜索引擎可能更晚发现它，大型或新网站尤其如此。</translation>
    </message>
    <message>
        <source>Add the URL to a sitemap, or make the page noindex if it should not be found.</source>
        <translation>请将该网址添加到站点地图；如果不希望页面被找到，请设置 noindex。</translation>
    </message>
    <message>
        <source>Orphan URLs</source>
        <translation>孤立网址</translation>
    </message>
    <message>
        <source>A sitemap lists the URL, but no crawled page links to it.</source>
        <translation>站点地图列出了该网址，但抓取到的页面都没有链接到它。</translation>
    </message>
    <message>
        <source>Link to it from a related page, or remove it from the sitemap if it is no longer needed.</source>
        <translation>请从相关页面链接到它；如果不再需要，请从站点地图中删除。</translation>
    </message>
    <message>
        <source>Non-Indexable URLs in Sitemap</source>
        <translation>站点地图中不可索引的网址</translation>
    </message>
    <message>
        <source>A sitemap lists the URL, but it is not indexable: it redirects, is broken, blocked, noindex or canonicalised.</source>
        <translation>站点地图列出了该网址，但它不可索引：会重定向、已失效、被阻止、设有 noindex 或指定了其他规范网址。</translation>
    </message>
    <message>
        <source>Sitemaps should list only URLs that you want in search results. If many are wrong, search engines trust the sitemap less.</source>
        <translation>站点地图只应列出您希望出现在搜索结果中的网址。错误过多会降低搜索引擎对站点地图的信任。</translation>
    </message>
    <message>
        <source>Remove the URL from the sitemap, or make it indexable.</source>
        <translation>请从站点地图中删除该网址，或让它可以索引。</translation>
    </message>
    <message>
        <source>URLs in Multiple Sitemaps</source>
        <translation>位于多个站点地图中的网址</translation>
    </message>
    <message>
        <source>More than one sitemap lists the URL.</source>
        <translation>有多个站点地图列出了该网址。</translation>
    </message>
    <message>
        <source>This is not wrong, but the sitemaps may disagree about its last change, and reports per sitemap count it twice.</source>
        <translation>这并不算错误，但各站点地图的最后修改时间可能不一致，按站点地图统计的报告也会重复计算。</translation>
    </message>
    <message>
        <source>List each URL in one sitemap.</source>
        <translation>请让每个网址只出现在一个站点地图中。</translation>
    </message>
    <message>
        <source>XML Sitemap With Over 50k URLs</source>
        <translation>超过 5 万个网址的 XML 站点地图</translation>
    </message>
    <message>
        <source>The sitemap lists more than 50,000 URLs.</source>
        <translation>该站点地图列出了超过 50,000 个网址。</translation>
    </message>
    <message>
        <source>This is more than the standard allows, so search engines may ignore the rest or the whole sitemap.</source>
        <translation>这超出了标准的限制，搜索引擎可能忽略其余部分或整个站点地图。</translation>
    </message>
    <message>
        <source>Split it into several sitemaps, and list these in a sitemap index.</source>
        <translation>请将它拆分为多个站点地图，并在站点地图索引中列出。</translation>
    </message>
    <message>
        <source>XML Sitemap Over 50MB</source>
        <translation>超过 50MB 的 XML 站点地图</translation>
    </message>
    <message>
        <source>The sitemap is larger than 50 MB (52,428,800 bytes) when uncompressed.</source>
        <translation>该站点地图解压后超过 50 MB（52,428,800 字节）。</translation>
    </message>
    <message>
        <source>Contains Structured Data</source>
        <translation>有结构化数据</translation>
    </message>
    <message>
        <source>The page has structured data: JSON-LD, Microdata or RDFa.</source>
        <translation>该页面有结构化数据：JSON-LD、微数据或 RDFa。</translation>
    </message>
    <message>
        <source>It tells search engines what the page is about, such as a product with its price, and may earn a richer search result.</source>
        <translation>它告诉搜索引擎页面的内容，例如商品及其价格，并可能带来更丰富的搜索结果。</translation>
    </message>
    <message>
        <source>JSON-LD URLs</source>
        <translation>JSON-LD 网址</translation>
    </message>
    <message>
        <source>The page has structured data in JSON-LD: &lt;script type=&quot;application/ld+json&quot;&gt;.</source>
        <translation>该页面有 JSON-LD 格式的结构化数据：&lt;script type=&quot;application/ld+json&quot;&gt;。</translation>
    </message>
    <message>
        <source>It is the format that Google recommends, as it is the easiest to keep correct.</source>
        <translation>这是 Google 推荐的格式，因为它最容易维护。</translation>
    </message>
    <message>
        <source>Microdata URLs</source>
        <translation>微数据网址</translation>
    </message>
    <message>
        <source>The page has structured data in Microdata: itemscope, itemtype and itemprop attributes.</source>
        <translation>该页面有微数据格式的结构化数据：itemscope、itemtype 和 itemprop 属性。</translation>
    </message>
    <message>
        <source>Search engines read it as they read JSON-LD, but a change of the page&apos;s markup easily breaks it.</source>
        <translation>搜索引擎读取它与读取 JSON-LD 一样，但页面标记一改动就容易损坏。</translation>
    </message>
    <message>
        <source>RDFa URLs</source>
        <translation>RDFa 网址</translation>
    </message>
    <message>
        <source>The page has structured data in RDFa: vocab, typeof and property attributes.</source>
        <translation>该页面有 RDFa 格式的结构化数据：vocab、typeof 和 property 属性。</translation>
    </message>
    <message>
        <source>The page has no structured data.</source>
        <translation>该页面没有结构化数据。</translation>
    </message>
    <message>
        <source>It cannot get the richer search results that need it, such as those for products, recipes or events.</source>
        <translation>它无法获得需要结构化数据的富媒体搜索结果，例如商品、食谱或活动。</translation>
    </message>
    <message>
        <source>See which kinds of rich results suit the page, and add JSON-LD for them. Not every page needs it.</source>
        <translation>请查看哪些富媒体搜索结果类型适合该页面，并添加相应的 JSON-LD。并非每个页面都需要。</translation>
    </message>
    <message>
        <source>Parse Errors</source>
        <translation>解析错误</translation>
    </message>
    <message>
        <source>Structured data of the page cannot be read, such as JSON-LD that is not valid JSON.</source>
        <translation>该页面的结构化数据无法读取，例如 JSON-LD 不是有效的 JSON。</translation>
    </message>
    <message>
        <source>Search engines ignore the whole block.</source>
        <translation>搜索引擎会忽略整个数据块。</translation>
    </message>
    <message>
        <source>Correct the syntax. Common mistakes are trailing commas, curly quotes and line breaks in texts.</source>
        <translation>请更正语法。常见的错误是末尾的逗号、弯引号和文本中的换行。</translation>
    </message>
    <message>
        <source>Validation Errors</source>
        <translation>验证错误</translation>
    </message>
    <message>
        <source>The structured data uses types or properties that schema.org does not have, or values of the wrong kind.</source>
        <translation>结构化数据使用了 schema.org 中不存在的类型或属性，或值的种类不对。</translation>
    </message>
    <message>
        <source>Search engines cannot understand these parts and ignore them.</source>
        <translation>搜索引擎无法理解这些部分，会忽略它们。</translation>
    </message>
    <message>
        <source>Correct the names as schema.org spells them, upper and lower case included.</source>
        <translation>请按 schema.org 的拼写更正名称，注意大小写。</translation>
    </message>
    <message>
        <source>Validation Warnings</source>
        <translation>验证警告</translation>
    </message>
    <message>
        <source>The structured data uses properties that do not belong to their type, or that schema.org has replaced.</source>
        <translation>结构化数据使用了不属于该类型的属性，或已被 schema.org 取代的属性。</translation>
    </message>
    <message>
        <source>Search engines may ignore them today or in the future.</source>
        <translation>搜索引擎现在或将来可能会忽略它们。</translation>
    </message>
    <message>
        <source>Use the properties that schema.org lists for the type.</source>
        <translation>请使用 schema.org 为该类型列出的属性。</translation>
    </message>
    <message>
        <source>Rich Result Validation Errors</source>
        <translation>富媒体搜索结果验证错误</translation>
    </message>
    <message>
        <source>A property that Google requires for a kind of rich result is missing or invalid.</source>
        <translation>缺少 Google 对某类富媒体搜索结果要求的属性，或该属性无效。</translation>
    </message>
    <message>
        <source>Without it, Google does not show the page as a rich result.</source>
        <translation>没有它，Google 不会将该页面显示为富媒体搜索结果。</translation>
    </message>
    <message>
        <source>Add the required property to the item, and check the page with Google&apos;s Rich Results Test.</source>
        <translation>请为该项添加必需的属性，并用 Google 的富媒体搜索结果测试检查页面。</translation>
    </message>
    <message>
        <source>Rich Result Validation Warnings</source>
        <translation>富媒体搜索结果验证警告</translation>
    </message>
    <message>
        <source>A property that Google recommends for a kind of rich result is missing.</source>
        <translation>缺少 Google 对某类富媒体搜索结果建议的属性。</translation>
    </message>
    <message>
        <source>The page may still be shown as a rich result, but with less information.</source>
        <translation>该页面仍可能显示为富媒体搜索结果，但信息较少。</translation>
    </message>
    <message>
        <source>Add the property if you have its value. Do not make one up.</source>
        <translation>如果有相应的值，请添加该属性，但不要编造。</translation>
    </message>
    <message>
        <source>Rich Result Feature Detected</source>
        <translation>检测到富媒体搜索结果功能</translation>
    </message>
    <message>
        <source>The structured data of the page is meant for a kind of Google&apos;s rich results.</source>
        <translation>该页面的结构化数据适用于某类 Google 富媒体搜索结果。</translation>
    </message>
    <message>
        <source>If all required properties are valid, the page may stand out in search results.</source>
        <translation>如果所有必需的属性都有效，该页面就可能在搜索结果中更醒目。</translation>
    </message>
    <message>
        <source>Invalid HTML Elements In &lt;head&gt;</source>
        <translation>&lt;head&gt; 中有无效的 HTML 元素</translation>
    </message>
    <message>
        <source>The &lt;head&gt; has an element that is not allowed there, such as &lt;div&gt;, &lt;img&gt; or &lt;iframe&gt;.</source>
        <translation>&lt;head&gt; 中有不允许出现的元素，例如 &lt;div&gt;、&lt;img&gt; 或 &lt;iframe&gt;。</translation>
    </message>
    <message>
        <source>It ends the head: browsers and search engines take everything after it for the body, and may ignore titles, canonicals, robots and hreflang elements there.</source>
        <translation>它会结束头部：浏览器和搜索引擎将其后的一切视为正文，其中的标题、规范网址、robots 和 hreflang 元素可能被忽略。</translation>
    </message>
    <message>
        <source>Move the element into &lt;body&gt;, or at least to the end of &lt;head&gt;. Allowed are title, meta, link, script, style, base, noscript and template.</source>
        <translation>请将该元素移入 &lt;body&gt;，或至少移到 &lt;head&gt; 末尾。允许的元素有 title、meta、link、script、style、base、noscript 和 template。</translation>
    </message>
    <message>
        <source>&lt;body&gt; Element Preceding &lt;html&gt;</source>
        <translation>&lt;body&gt; 元素在 &lt;html&gt; 之前</translation>
    </message>
    <message>
        <source>A &lt;body&gt; tag stands before the &lt;html&gt; tag.</source>
        <translation>&lt;body&gt; 标签出现在 &lt;html&gt; 标签之前。</translation>
    </message>
    <message>
        <source>Browsers begin the body there, so all that should be in the head ends up in the body and may be ignored.</source>
        <translation>浏览器会从那里开始正文，因此本应在头部的内容都落入正文，可能被忽略。</translation>
    </message>
    <message>
        <source>Put &lt;!DOCTYPE html&gt;, &lt;html&gt; and &lt;head&gt; first. Often a file that is included too early writes the &lt;body&gt;.</source>
        <translation>请将 &lt;!DOCTYPE html&gt;、&lt;html&gt; 和 &lt;head&gt; 放在最前面。&lt;body&gt; 往往由过早引入的文件写入。</translation>
    </message>
    <message>
        <source>&lt;head&gt; Not First In &lt;html&gt; Element</source>
        <translation>&lt;head&gt; 不是 &lt;html&gt; 中的第一个元素</translation>
    </message>
    <message>
        <source>Something other than &lt;head&gt; comes first in the &lt;html&gt; element.</source>
        <translation>&lt;html&gt; 元素中最先出现的不是 &lt;head&gt;。</translation>
    </message>
    <message>
        <source>It may begin the body early. What stands in &lt;head&gt; then ends up in the body and may be ignored.</source>
        <translation>它可能使正文提前开始，这样 &lt;head&gt; 中的内容就会落入正文，可能被忽略。</translation>
    </message>
    <message>
        <source>Let &lt;head&gt; follow the &lt;html&gt; tag directly.</source>
        <translation>请让 &lt;head&gt; 紧跟在 &lt;html&gt; 标签之后。</translation>
    </message>
    <message>
        <source>Missing &lt;head&gt; Tag</source>
        <translation>缺少 &lt;head&gt; 标签</translation>
    </message>
    <message>
        <source>The HTML has no &lt;head&gt; tag.</source>
        <translation>HTML 中没有 &lt;head&gt; 标签。</translation>
    </message>
    <message>
        <source>Browsers add a head, but it ends at the first element that is not allowed in it. Simpler programs may find no title, canonical or robots element at all.</source>
        <translation>浏览器会补上头部，但它会在第一个不允许出现的元素处结束。较简单的程序可能完全找不到标题、规范网址或 robots 元素。</translation>
    </message>
    <message>
        <source>Write &lt;head&gt; and &lt;/head&gt; around title, meta and link elements.</source>
        <translation>请用 &lt;head&gt; 和 &lt;/head&gt; 包住 title、meta 和 link 元素。</translation>
    </message>
    <message>
        <source>Multiple &lt;head&gt; Tags</source>
        <translation>多个 &lt;head&gt; 标签</translation>
    </message>
    <message>
        <source>The HTML has more than one &lt;head&gt; tag.</source>
        <translation>HTML 中有多个 &lt;head&gt; 标签。</translation>
    </message>
    <message>
        <source>Browsers ignore the second one. What stands in it may end up in the body, where search engines ignore it.</source>
        <translation>浏览器会忽略第二个，其中的内容可能落入正文而被搜索引擎忽略。</translation>
    </message>
    <message>
        <source>Keep one &lt;head&gt;, and move the elements of the others into it.</source>
        <translation>请只保留一个 &lt;head&gt;，并将其余的元素移入其中。</translation>
    </message>
    <message>
        <source>Missing &lt;body&gt; Tag</source>
        <translation>缺少 &lt;body&gt; 标签</translation>
    </message>
    <message>
        <source>The HTML has no &lt;body&gt; tag.</source>
        <translation>HTML 中没有 &lt;body&gt; 标签。</translation>
    </message>
    <message>
        <source>Browsers add one where they think that the content begins. The page may also have been cut off before its content.</source>
        <translation>浏览器会在它认为内容开始的地方补上。也可能页面在内容之前就被截断了。</translation>
    </message>
    <message>
        <source>Write &lt;body&gt; and &lt;/body&gt; around the content, and check that the server sends the whole page.</source>
        <translation>请用 &lt;body&gt; 和 &lt;/body&gt; 包住内容，并确认服务器发送了完整的页面。</translation>
    </message>
    <message>
        <source>Multiple &lt;body&gt; Tags</source>
        <translation>多个 &lt;body&gt; 标签</translation>
    </message>
    <message>
        <source>The HTML has more than one &lt;body&gt; tag.</source>
        <translation>HTML 中有多个 &lt;body&gt; 标签。</translation>
    </message>
    <message>
        <source>Browsers merge them, other programs may read the first one alone. Often two templates are nested by mistake.</source>
        <translation>浏览器会将它们合并，其他程序可能只读第一个。这往往是因为误将两个模板嵌套在一起。</translation>
    </message>
    <message>
        <source>Keep one &lt;body&gt; with all of the content.</source>
        <translation>请只保留一个包含全部内容的 &lt;body&gt;。</translation>
    </message>
    <message>
        <source>HTML Document Over {limit}MB</source>
        <translation>超过 {limit}MB 的 HTML 文档</translation>
    </message>
    <message>
        <source>The HTML of the page is very large.</source>
        <translation>该页面的 HTML 非常大。</translation>
    </message>
    <message>
        <source>Google reads only the first 2 MB of a document for Search and ignores the rest. Large pages are also slow on phones.</source>
        <translation>Google 搜索只读取文档的前 2 MB，忽略其余部分。大页面在手机上也很慢。</translation>
    </message>
    <message>
        <source>Move inline scripts, styles, images and data into files of their own, and split long lists into several pages.</source>
        <translation>请将内联的脚本、样式、图片和数据移到单独的文件中，并将长列表拆分为多个页面。</translation>
    </message>
    <message>
        <source>Resource Over {limit}MB</source>
        <translation>超过 {limit}MB 的资源</translation>
    </message>
    <message>
        <source>The file, such as a script or style sheet, is very large.</source>
        <translation>该文件（例如脚本或样式表）非常大。</translation>
    </message>
    <message>
        <source>Google reads only the first 2 MB of a file that it renders pages with, so the page may break in search. Visitors wait for it, too.</source>
        <translation>Google 渲染页面时只读取每个文件的前 2 MB，因此页面在搜索中可能无法正常显示。访问者也要等待它加载。</translation>
    </message>
    <message>
        <source>Remove what the pages do not use, compress it, or split it into files that are loaded when needed.</source>
        <translation>请删除页面未使用的部分、进行压缩，或拆分为按需加载的文件。</translation>
    </message>
    <message>
        <source>High Carbon Rating</source>
        <translation>碳排放评级偏高</translation>
    </message>
    <message>
        <source>A view of the page transfers so much data that its estimated emissions of CO2 are above average.</source>
        <translation>浏览一次该页面所传输的数据很多，估算的二氧化碳排放量高于平均水平。</translation>
    </message>
    <message>
        <source>Smaller pages save energy, and they load faster and cost visitors less.</source>
        <translation>页面越小越节能，加载也更快，访问者的费用更少。</translation>
    </message>
    <message>
        <source>Compress images and video, load them only when they come into view, and remove scripts and fonts that are not needed.</source>
        <translation>请压缩图片和视频，仅在进入视野时加载，并删除不需要的脚本和字体。</translation>
    </message>
    <message>
        <source>Link score</source>
        <translation>链接分数</translation>
    </message>
    <message>
        <source>For information</source>
        <translation>仅供参考</translation>
    </message>
    <message>
        <source>anchor text; the alt text of an image, also of one that is all that a link shows</source>
        <translation>锚文本；图片的替代文本，也包括链接中只有图片时该图片的替代文本</translation>
    </message>
    <message>
        <source>the `target` attribute, as written</source>
        <translation>`target` 属性，按原样</translation>
    </message>
    <message>
        <source>The text of the link; empty if an image is all that it shows</source>
        <translation>链接的文字；链接中只有图片时为空</translation>
    </message>
    <message>
        <source>Alt text</source>
        <translation>替代文本</translation>
    </message>
    <message>
        <source>The alternative text of an image, also of one that is all that a link shows</source>
        <translation>图片的替代文本，也包括链接中只有图片时该图片的替代文本</translation>
    </message>
    <message>
        <source>the first canonical of the Link headers, resolved; of a file, the first that is another URL, if there is one</source>
        <translation>Link 标头中的第一个规范网址，已解析为完整网址；对于文件，是其中第一个指向其他网址的规范网址（如果有）</translation>
    </message>
    <message>
        <source>how many types its structured data items have together; NULL for none</source>
        <translation>其结构化数据项的类型总数（含重复）；没有则为 NULL</translation>
    </message>
    <message>
        <source>size of the decoded body; of what was not decoded, the size as sent or stated; NULL if neither is known</source>
        <translation>解码后正文的大小；未解码时为传输或声明的大小；两者都不知道时为 NULL</translation>
    </message>
    <message>
        <source>Keep the crawls of at least one day, week or month.</source>
        <translation>请至少保留一天、一周或一个月的抓取。</translation>
    </message>
    <message>
        <source>Preparing the full-text search</source>
        <translation>正在准备全文搜索</translation>
    </message>
    <message>
        <source>Files of the archive went missing or were cut short: {files}. URLs without a record now: {number}. Crawl the site again to keep them.</source>
        <translation>存档文件丢失或被截断：{files}。现在没有存档记录的 URL 数：{number}。请重新抓取该网站以保留它们。</translation>
    </message>
    <message>
        <source>How strongly the site&apos;s own links point here, from 0 to 100</source>
        <translation>站内链接对此页的指向强度，0 到 100</translation>
    </message>
    <message>
        <source>Unique outlinks</source>
        <translation>去重出链</translation>
    </message>
    <message>
        <source>Unique external outlinks</source>
        <translation>去重外部出链</translation>
    </message>
    <message>
        <source>Closest near duplicate</source>
        <translation>最高近似度</translation>
    </message>
    <message>
        <source>Pages with nearly the same text</source>
        <translation>文本几乎相同的页面</translation>
    </message>
    <message>
        <source>Most similar page</source>
        <translation>最相似的页面</translation>
    </message>
    <message>
        <source>Duplicate of</source>
        <translation>重复自</translation>
    </message>
    <message>
        <source>The first page with the same content</source>
        <translation>内容相同的第一个页面</translation>
    </message>
    <message>
        <source>Response Codes</source>
        <translation>响应状态码</translation>
    </message>
    <message>
        <source>Security</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Page Titles</source>
        <translation>页面标题</translation>
    </message>
    <message>
        <source>Meta Description</source>
        <translation>元描述</translation>
    </message>
    <message>
        <source>Meta Keywords</source>
        <translation>元关键词</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Canonicals</source>
        <translation>规范网址</translation>
    </message>
    <message>
        <source>Pagination</source>
        <translation>分页</translation>
    </message>
    <message>
        <source>Directives</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Hreflang</source>
        <translation>语言版本（hreflang）</translation>
    </message>
    <message>
        <source>JavaScript</source>
        <translation>JavaScript</translation>
    </message>
    <message>
        <source>AMP</source>
        <translation>AMP</translation>
    </message>
    <message>
        <source>Mobile</source>
        <translation>移动设备</translation>
    </message>
    <message>
        <source>Accessibility</source>
        <translation>无障碍</translation>
    </message>
    <message>
        <source>Structured Data</source>
        <translation>结构化数据</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Delayed refresh</source>
        <translation>延时刷新</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>AI search</source>
        <translation>AI 搜索</translation>
    </message>
    <message>
        <source>AI training</source>
        <translation>AI 训练</translation>
    </message>
    <message>
        <source>User request</source>
        <translation>用户请求</translation>
    </message>
    <message>
        <source>Exact Duplicates</source>
        <translation>完全重复</translation>
    </message>
    <message>
        <source>The page needs JavaScript to show its content. Without it, no links were found.</source>
        <translation>此页面需要 JavaScript 才能显示内容。没有它，未找到任何链接。</translation>
    </message>
    <message>
        <source>Another indexable URL has exactly the same HTML.</source>
        <translation>另一个可索引网址的 HTML 与此完全相同。</translation>
    </message>
    <message>
        <source>Search engines list one of them, perhaps not the one you want, and links and crawling are split between them.</source>
        <translation>搜索引擎只收录其中之一，未必是您想要的那个，而链接和抓取会分散到它们之间。</translation>
    </message>
    <message>
        <source>Redirect all of them to one URL, or name that one as canonical, and use it in links.</source>
        <translation>请将它们都重定向到同一网址，或将该网址设为规范网址，并在链接中使用它。</translation>
    </message>
    <message>
        <source>Near Duplicates</source>
        <translation>近似重复</translation>
    </message>
    <message>
        <source>The text of another indexable page is nearly the same.</source>
        <translation>另一个可索引页面的文字与此几乎相同。</translation>
    </message>
    <message>
        <source>Search engines may take the pages for one and list only one of them. Visitors find little that is new on the others.</source>
        <translation>搜索引擎可能将这些页面视为一个，只收录其中之一。访问者在其他页面上也看不到多少新内容。</translation>
    </message>
    <message>
        <source>Merge the pages, or give each text of its own. If they have to be alike, name one as canonical.</source>
        <translation>请合并这些页面，或为每个页面编写各自的文字。如果它们必须相似，请将其中之一设为规范网址。</translation>
    </message>
    <message>
        <source>Low Content Pages</source>
        <translation>内容过少的页面</translation>
    </message>
    <message>
        <source>The page has few words besides its navigation and footer.</source>
        <translation>除导航和页脚外，页面的文字很少。</translation>
    </message>
    <message>
        <source>A page with little text seldom answers a question, so search engines have little reason to show it. A gallery or a form needs no more.</source>
        <translation>文字很少的页面难以回答问题，搜索引擎没有多少理由展示它。图库或表单则无需更多文字。</translation>
    </message>
    <message>
        <source>Add what visitors would ask next, merge the page with a similar one, or leave it.</source>
        <translation>请补充访问者接下来会问的内容，或与相似的页面合并，或保持原样。</translation>
    </message>
    <message>
        <source>Soft 404 Pages</source>
        <translation>软 404 页面</translation>
    </message>
    <message>
        <source>Search engines crawl and may list a page that is of no use, and such errors are missing from every list of broken links.</source>
        <translation>搜索引擎会抓取并可能收录毫无用处的页面，而这类错误不会出现在任何失效链接列表中。</translation>
    </message>
    <message>
        <source>Return 404 or 410 for what does not exist and 5xx for failures, or redirect to the page that replaces it.</source>
        <translation>对不存在的内容请返回 404 或 410，对故障请返回 5xx，或重定向到替代页面。</translation>
    </message>
    <message>
        <source>Lorem Ipsum Placeholder</source>
        <translation>Lorem Ipsum 占位文字</translation>
    </message>
    <message>
        <source>The page has the words lorem ipsum: text that was put there to try out a design.</source>
        <translation>页面含有 lorem ipsum 字样：这是为试排版面而放入的文字。</translation>
    </message>
    <message>
        <source>It was probably published by mistake, and looks careless to everybody who finds it.</source>
        <translation>它很可能是误发布的，看到的人会觉得粗心。</translation>
    </message>
    <message>
        <source>Replace it by real text, or make the page noindex until there is some.</source>
        <translation>请换成真正的文字；在此之前请将页面设为 noindex。</translation>
    </message>
    <message>
        <source>Spelling Errors</source>
        <translation>拼写错误</translation>
    </message>
    <message>
        <source>The text has words that the dictionary of its language does not know.</source>
        <translation>文字中有该语言词典未收录的词。</translation>
    </message>
    <message>
        <source>Mistakes make visitors doubt the rest of the page, and hide words from searches.</source>
        <translation>错误会让访问者怀疑页面的其余内容，也会让这些词无法被搜到。</translation>
    </message>
    <message>
        <source>Grammar Errors</source>
        <translation>语法错误</translation>
    </message>
    <message>
        <source>The text breaks rules of grammar, such as by a missing or doubled word.</source>
        <translation>文字不合语法，例如漏词或重复用词。</translation>
    </message>
    <message>
        <source>Mistakes make visitors doubt the rest of the page, and make it harder to translate.</source>
        <translation>错误会让访问者怀疑页面的其余内容，也会增加翻译的难度。</translation>
    </message>
    <message>
        <source>Readability Difficult</source>
        <translation>难以阅读</translation>
    </message>
    <message>
        <source>By its Flesch reading ease, the English text is hard to read.</source>
        <translation>按 Flesch 易读性评分，英文文字难以阅读。</translation>
    </message>
    <message>
        <source>Many visitors skim a text of long words and long sentences, or leave. Search engines do not judge by the score.</source>
        <translation>面对长词长句，许多访问者会草草浏览或离开。搜索引擎并不以该评分为依据。</translation>
    </message>
    <message>
        <source>Split long sentences, choose short words, and end items of lists with full stops. A text for experts may be right as it is.</source>
        <translation>请拆分长句、选用短词，并以句号结束列表各项。面向专业读者的文字可以保持原样。</translation>
    </message>
    <message>
        <source>Readability Very Difficult</source>
        <translation>极难阅读</translation>
    </message>
    <message>
        <source>By its Flesch reading ease, the English text is very hard to read.</source>
        <translation>按 Flesch 易读性评分，英文文字极难阅读。</translation>
    </message>
    <message>
        <source>Only those who have to will read it to the end. Search engines do not judge by the score.</source>
        <translation>只有不得不读的人才会读完。搜索引擎并不以该评分为依据。</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>The page allows search engines to list it, by index.</source>
        <translation>页面以 index 允许搜索引擎收录它。</translation>
    </message>
    <message>
        <source>That is the default, so it changes nothing.</source>
        <translation>这是默认行为，因此没有任何影响。</translation>
    </message>
    <message>
        <source>Do nothing. You may leave out the directive.</source>
        <translation>无需处理。该指令可以省略。</translation>
    </message>
    <message>
        <source>Noindex</source>
        <translation>Noindex</translation>
    </message>
    <message>
        <source>The page asks search engines not to list it.</source>
        <translation>页面要求搜索引擎不要收录它。</translation>
    </message>
    <message>
        <source>Nobody finds it by a search. On an important page this is a costly mistake.</source>
        <translation>没有人能通过搜索找到它。如果是重要页面，这会是代价高昂的错误。</translation>
    </message>
    <message>
        <source>Look through the list. Remove noindex from pages that people should find: if a whole section is listed, from its template or in the settings of the CMS.</source>
        <translation>请查看列表，从希望被找到的页面上移除 noindex；如果列出的是整个栏目，请在其模板或 CMS 设置中移除。</translation>
    </message>
    <message>
        <source>The page allows search engines to follow its links, by follow.</source>
        <translation>页面以 follow 允许搜索引擎跟踪它的链接。</translation>
    </message>
    <message>
        <source>Nofollow</source>
        <translation>Nofollow</translation>
    </message>
    <message>
        <source>The page asks search engines not to follow any of its links.</source>
        <translation>页面要求搜索引擎不要跟踪它的任何链接。</translation>
    </message>
    <message>
        <source>Pages that are linked only from here may not be found, and its links do not help the pages they lead to.</source>
        <translation>只从这里链接的页面可能不会被发现，它的链接对目标页面也没有帮助。</translation>
    </message>
    <message>
        <source>Remove nofollow from the page. For single links, use rel=&quot;nofollow&quot; instead.</source>
        <translation>请从页面上移除 nofollow。对个别链接请改用 rel=&quot;nofollow&quot;。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>None</translation>
    </message>
    <message>
        <source>The page says none, which means noindex and nofollow.</source>
        <translation>页面声明了 none，即 noindex 加 nofollow。</translation>
    </message>
    <message>
        <source>Search engines neither list it nor follow its links.</source>
        <translation>搜索引擎既不收录它，也不跟踪它的链接。</translation>
    </message>
    <message>
        <source>Remove it from pages that people should find. Write noindex if you mean only that.</source>
        <translation>请从希望被找到的页面上移除它。如果只需要 noindex，请写 noindex。</translation>
    </message>
    <message>
        <source>NoArchive</source>
        <translation>NoArchive</translation>
    </message>
    <message>
        <source>The page asks search engines not to offer a stored copy of it.</source>
        <translation>页面要求搜索引擎不提供它的存档副本。</translation>
    </message>
    <message>
        <source>Google no longer shows stored copies. Bing also treats it as a request not to quote the page in chat answers.</source>
        <translation>Google 已不再显示存档副本。Bing 还会据此不在其聊天回答中引用该页面。</translation>
    </message>
    <message>
        <source>Do nothing if it is intended.</source>
        <translation>如果是有意为之，则无需处理。</translation>
    </message>
    <message>
        <source>NoSnippet</source>
        <translation>NoSnippet</translation>
    </message>
    <message>
        <source>The page asks search engines to show no text or video preview of it.</source>
        <translation>页面要求搜索引擎不显示它的文字摘要或视频预览。</translation>
    </message>
    <message>
        <source>A search result of a headline alone attracts fewer visitors.</source>
        <translation>只有大标题的搜索结果吸引的访问者较少。</translation>
    </message>
    <message>
        <source>Remove it unless the text must not be shown. To limit the text, use max-snippet.</source>
        <translation>除非文字不得显示，否则请移除。要限制文字长度，请使用 max-snippet。</translation>
    </message>
    <message>
        <source>Max-Snippet</source>
        <translation>Max-Snippet</translation>
    </message>
    <message>
        <source>The page limits how many characters of its text search results may show.</source>
        <translation>页面限制了搜索结果可显示其文字的字符数。</translation>
    </message>
    <message>
        <source>A value of -1 sets no limit, and 0 is the same as nosnippet.</source>
        <translation>值为 -1 表示不限制，值为 0 等同于 nosnippet。</translation>
    </message>
    <message>
        <source>Make sure that the limit is not lower than you want.</source>
        <translation>请确认限制没有低于您的预期。</translation>
    </message>
    <message>
        <source>Max-Image-Preview</source>
        <translation>Max-Image-Preview</translation>
    </message>
    <message>
        <source>The page says how large its images may be in search results.</source>
        <translation>页面指定了其图片在搜索结果中可以显示多大。</translation>
    </message>
    <message>
        <source>Large previews attract visitors, and Google Discover prefers pages that allow them.</source>
        <translation>大预览图能吸引访问者，Google Discover 也更青睐允许大预览图的页面。</translation>
    </message>
    <message>
        <source>Use max-image-preview:large unless images must not be shown large.</source>
        <translation>除非图片不得放大显示，否则请使用 max-image-preview:large。</translation>
    </message>
    <message>
        <source>Max-Video-Preview</source>
        <translation>Max-Video-Preview</translation>
    </message>
    <message>
        <source>The page limits how many seconds of its videos search results may play.</source>
        <translation>页面限制了搜索结果可播放其视频的秒数。</translation>
    </message>
    <message>
        <source>A value of -1 sets no limit, and 0 allows a still image alone.</source>
        <translation>值为 -1 表示不限制，值为 0 则只允许显示静态图片。</translation>
    </message>
    <message>
        <source>NoODP</source>
        <translation>NoODP</translation>
    </message>
    <message>
        <source>The page asks not to be described by the Open Directory Project.</source>
        <translation>页面要求不使用开放目录项目 (Open Directory Project) 的描述。</translation>
    </message>
    <message>
        <source>The directory closed in 2017, so it changes nothing.</source>
        <translation>该目录已于 2017 年关闭，因此没有任何影响。</translation>
    </message>
    <message>
        <source>Remove the directive when you next edit the template.</source>
        <translation>请在下次编辑模板时移除该指令。</translation>
    </message>
    <message>
        <source>NoYDIR</source>
        <translation>NoYDIR</translation>
    </message>
    <message>
        <source>The page asks not to be described by the Yahoo Directory.</source>
        <translation>页面要求不使用 Yahoo Directory 的描述。</translation>
    </message>
    <message>
        <source>The directory closed in 2014, so it changes nothing.</source>
        <translation>该目录已于 2014 年关闭，因此没有任何影响。</translation>
    </message>
    <message>
        <source>NoImageIndex</source>
        <translation>NoImageIndex</translation>
    </message>
    <message>
        <source>The page asks search engines not to list its images.</source>
        <translation>页面要求搜索引擎不要收录它的图片。</translation>
    </message>
    <message>
        <source>Nobody finds the page by a search for images, unless other pages show them, too.</source>
        <translation>除非其他页面也显示这些图片，否则没有人能通过图片搜索找到该页面。</translation>
    </message>
    <message>
        <source>Remove it unless the images must not be found.</source>
        <translation>除非图片不得被搜到，否则请移除。</translation>
    </message>
    <message>
        <source>NoTranslate</source>
        <translation>NoTranslate</translation>
    </message>
    <message>
        <source>The page asks search engines not to offer a translation of it.</source>
        <translation>页面要求搜索引擎不提供它的译文。</translation>
    </message>
    <message>
        <source>People who search in other languages are less likely to visit it.</source>
        <translation>用其他语言搜索的人不太会访问它。</translation>
    </message>
    <message>
        <source>Remove it unless a translation could do harm.</source>
        <translation>除非译文可能造成损害，否则请移除。</translation>
    </message>
    <message>
        <source>Unavailable_After</source>
        <translation>Unavailable_After</translation>
    </message>
    <message>
        <source>The page names a date after which search engines should no longer list it.</source>
        <translation>页面指定了一个日期，要求搜索引擎此后不再收录它。</translation>
    </message>
    <message>
        <source>From that day on it is like noindex: nobody finds the page by a search.</source>
        <translation>从那天起，它就等同于 noindex：没有人能通过搜索找到该页面。</translation>
    </message>
    <message>
        <source>Compare the date with how long the page is of use.</source>
        <translation>请核对该日期与页面的有效期是否相符。</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Refresh</translation>
    </message>
    <message>
        <source>Visitors may lose what they read or typed, and screen readers start again. Sooner, it would be a redirect, which is listed among the response codes.</source>
        <translation>访问者可能丢失正在阅读或输入的内容，屏幕阅读器会从头开始。如果更快，就属于重定向，会列在响应码中。</translation>
    </message>
    <message>
        <source>Use a script that updates only what changes, or a redirect on the server.</source>
        <translation>请使用只更新变动内容的脚本，或在服务器上重定向。</translation>
    </message>
    <message>
        <source>A robots meta element is not in the &lt;head&gt; of the page that browsers build.</source>
        <translation>在浏览器构建的页面中，robots meta 元素不在 &lt;head&gt; 内。</translation>
    </message>
    <message>
        <source>Google obeys it there, too, but others may not. An element that is not allowed in &lt;head&gt;, such as &lt;div&gt; or &lt;img&gt;, ends the head, and everything after it is in the body.</source>
        <translation>Google 在那里也会遵守它，但其他搜索引擎未必。不允许出现在 &lt;head&gt; 中的元素（例如 &lt;div&gt; 或 &lt;img&gt;）会使 head 结束，其后的内容都属于 body。</translation>
    </message>
    <message>
        <source>Over {limit} kB</source>
        <translation>超过 {limit} kB</translation>
    </message>
    <message>
        <source>The file of the image is large.</source>
        <translation>图片文件较大。</translation>
    </message>
    <message>
        <source>Scale the image to the size at which it is shown, compress it, or use WebP or AVIF. Offer several sizes in srcset.</source>
        <translation>请将图片缩放到显示尺寸、进行压缩，或使用 WebP 或 AVIF，并在 srcset 中提供多种尺寸。</translation>
    </message>
    <message>
        <source>Missing Alt Text</source>
        <translation>缺少替代文本</translation>
    </message>
    <message>
        <source>An image in the content, or alone in a link, has an empty alt attribute, which marks it as decorative.</source>
        <translation>内容中的图像，或链接中唯一的图像，带有空的 alt 属性，即被标记为装饰性图像。</translation>
    </message>
    <message>
        <source>Screen readers skip the image, a link has no name, and search engines learn less of what it shows.</source>
        <translation>屏幕阅读器会跳过该图片，链接没有名称，搜索引擎也难以了解图片内容。</translation>
    </message>
    <message>
        <source>Say in alt what the image shows, or for a link where it leads. Leave alt empty if the image really is decoration.</source>
        <translation>请在 alt 中写明图片的内容；如果是链接，请写明它通向哪里。如果图片确实只是装饰，alt 可以为空。</translation>
    </message>
    <message>
        <source>Missing Alt Attribute</source>
        <translation>缺少 alt 属性</translation>
    </message>
    <message>
        <source>A page shows the image by an element that has no alt attribute at all.</source>
        <translation>页面显示该图片的元素没有 alt 属性。</translation>
    </message>
    <message>
        <source>Screen readers then read out the name of the file, which helps nobody.</source>
        <translation>屏幕阅读器会因此读出文件名，对谁都没有帮助。</translation>
    </message>
    <message>
        <source>Add alt with a text that replaces the image, or alt=&quot;&quot; if it is decoration.</source>
        <translation>请添加 alt，写上可替代图片的文字；如果只是装饰，请写 alt=&quot;&quot;。</translation>
    </message>
    <message>
        <source>Alt Text Over {limit} Characters</source>
        <translation>替代文本超过 {limit} 个字符</translation>
    </message>
    <message>
        <source>A page shows the image with a long alternative text.</source>
        <translation>页面显示该图片时所用的替代文本较长。</translation>
    </message>
    <message>
        <source>Screen readers read it without a pause, and listeners cannot skim it. Long ones are often lists of keywords.</source>
        <translation>屏幕阅读器会一口气读完，听者无法略读。过长的替代文本往往是堆砌的关键词。</translation>
    </message>
    <message>
        <source>Say the essential in a sentence, and move the rest into the text or a caption.</source>
        <translation>请用一句话写明要点，其余移到正文或图注中。</translation>
    </message>
    <message>
        <source>Missing Size Attributes</source>
        <translation>缺少尺寸属性</translation>
    </message>
    <message>
        <source>A page shows the image by an element that lacks width or height.</source>
        <translation>页面显示该图片的元素缺少 width 或 height。</translation>
    </message>
    <message>
        <source>The browser does not know how much room to leave. When the image arrives, the text jumps, which annoys readers and counts in Core Web Vitals.</source>
        <translation>浏览器不知道要留多少空间。图片加载后文字会跳动，令读者不快，也会影响 Core Web Vitals。</translation>
    </message>
    <message>
        <source>Add both attributes, in pixels of the image. Style sheets may still scale it.</source>
        <translation>请添加这两个属性，以图片像素为单位。样式表仍可缩放图片。</translation>
    </message>
    <message>
        <source>Incorrectly Sized Images</source>
        <translation>尺寸不当的图片</translation>
    </message>
    <message>
        <source>The image is much larger, or smaller, than the area in which a page shows it.</source>
        <translation>图片比页面显示它的区域大得多或小得多。</translation>
    </message>
    <message>
        <source>A larger one is transferred for nothing; a smaller one looks blurred.</source>
        <translation>过大的图片会白白传输数据，过小的图片则显得模糊。</translation>
    </message>
    <message>
        <source>Offer the image in the sizes in which it is shown, with srcset and sizes.</source>
        <translation>请用 srcset 和 sizes 按显示尺寸提供图片。</translation>
    </message>
    <message>
        <source>Background Images</source>
        <translation>背景图片</translation>
    </message>
    <message>
        <source>The image is the background of an element, by a style.</source>
        <translation>该图片通过样式用作元素的背景。</translation>
    </message>
    <message>
        <source>Background images have no alternative text, and Google does not list them. That is right for decoration, but not for images that say something.</source>
        <translation>背景图片没有替代文本，Google 也不收录。用于装饰没有问题，但不适合有内容的图片。</translation>
    </message>
    <message>
        <source>Use &lt;img&gt; with alt for images that belong to the content.</source>
        <translation>属于内容的图片请使用带 alt 的 &lt;img&gt;。</translation>
    </message>
    <message>
        <source>The page has no &lt;meta name=&quot;keywords&quot;&gt; element, or an empty one.</source>
        <translation>页面没有 &lt;meta name=&quot;keywords&quot;&gt; 元素，或其内容为空。</translation>
    </message>
    <message>
        <source>No large search engine uses it, so nothing is lost.</source>
        <translation>没有大型搜索引擎使用它，因此没有损失。</translation>
    </message>
    <message>
        <source>Do nothing, unless the search of your own site uses meta keywords.</source>
        <translation>除非您网站的站内搜索使用元关键词，否则无需处理。</translation>
    </message>
    <message>
        <source>Another indexable page has the same meta keywords.</source>
        <translation>另一个可索引页面的元关键词与此相同。</translation>
    </message>
    <message>
        <source>Search engines ignore them. A search of your own site may find too much by them.</source>
        <translation>搜索引擎会忽略它们。站内搜索则可能因此找出过多结果。</translation>
    </message>
    <message>
        <source>Remove meta keywords that nothing uses, or choose different ones for each page.</source>
        <translation>请移除无人使用的元关键词，或为每个页面选用不同的关键词。</translation>
    </message>
    <message>
        <source>The page has more than one &lt;meta name=&quot;keywords&quot;&gt; element.</source>
        <translation>页面有多个 &lt;meta name=&quot;keywords&quot;&gt; 元素。</translation>
    </message>
    <message>
        <source>Search engines ignore them. Whatever reads them may take only one.</source>
        <translation>搜索引擎会忽略它们。读取它们的程序可能只取其中之一。</translation>
    </message>
    <message>
        <source>Keep one element, or none.</source>
        <translation>请只保留一个，或全部移除。</translation>
    </message>
    <message>
        <source>HTTP itself does not define the header, and not every client follows it. Search engines treat it like a redirect, but recommend status codes.</source>
        <translation>HTTP 标准本身未定义该标头，并非所有客户端都支持。搜索引擎将它视为重定向，但建议使用状态码。</translation>
    </message>
    <message>
        <source>HTTP URLs</source>
        <translation>HTTP 网址</translation>
    </message>
    <message>
        <source>The URL begins with http:// and so is not encrypted.</source>
        <translation>网址以 http:// 开头，因此未加密。</translation>
    </message>
    <message>
        <source>Others on the network can read and change what is sent. Browsers call the page not secure, and search engines prefer HTTPS.</source>
        <translation>网络上的其他人可以读取和篡改传输的内容。浏览器会将页面标为不安全，搜索引擎也更青睐 HTTPS。</translation>
    </message>
    <message>
        <source>Serve the site over HTTPS, redirect http:// to https://, and update the links.</source>
        <translation>请通过 HTTPS 提供网站，将 http:// 重定向到 https://，并更新链接。</translation>
    </message>
    <message>
        <source>Mixed Content</source>
        <translation>混合内容</translation>
    </message>
    <message>
        <source>The page is encrypted, but loads images, scripts, styles or other files over http://.</source>
        <translation>页面已加密，却通过 http:// 加载图片、脚本、样式或其他文件。</translation>
    </message>
    <message>
        <source>Browsers block such scripts and styles, and load images over HTTPS or not at all, so the page may look or work wrong.</source>
        <translation>浏览器会阻止这类脚本和样式，图片则改用 HTTPS 加载或干脆不加载，因此页面可能显示或运行不正常。</translation>
    </message>
    <message>
        <source>Load the files over https://. Links to other pages do not matter here.</source>
        <translation>请通过 https:// 加载这些文件。指向其他页面的链接不受影响。</translation>
    </message>
    <message>
        <source>Form URL Insecure</source>
        <translation>表单网址不安全</translation>
    </message>
    <message>
        <source>The page is encrypted, but has a form that is sent to an http:// URL.</source>
        <translation>页面已加密，但其中的表单会提交到 http:// 网址。</translation>
    </message>
    <message>
        <source>What visitors type, such as a password, travels unencrypted. Browsers warn before they send such a form.</source>
        <translation>访问者输入的内容（例如密码）会以未加密方式传输。浏览器在提交这类表单前会发出警告。</translation>
    </message>
    <message>
        <source>Make the action of the form an https:// URL.</source>
        <translation>请将表单的 action 改为 https:// 网址。</translation>
    </message>
    <message>
        <source>Form on HTTP URL</source>
        <translation>HTTP 网址上的表单</translation>
    </message>
    <message>
        <source>A page that is not encrypted has a form.</source>
        <translation>未加密的页面含有表单。</translation>
    </message>
    <message>
        <source>Others on the network can change the page, and so the address to which visitors send what they type. Browsers mark such forms as not secure.</source>
        <translation>网络上的其他人可以篡改页面，从而更改访问者提交内容的网址。浏览器会将这类表单标为不安全。</translation>
    </message>
    <message>
        <source>Serve the page over HTTPS, and redirect its http:// URL.</source>
        <translation>请通过 HTTPS 提供该页面，并重定向其 http:// 网址。</translation>
    </message>
    <message>
        <source>Unsafe Cross-Origin Links</source>
        <translation>不安全的跨源链接</translation>
    </message>
    <message>
        <source>A link to another site opens a new tab and has neither rel=noopener nor noreferrer.</source>
        <translation>指向其他网站的链接会打开新标签页，却没有 rel=noopener 或 noreferrer。</translation>
    </message>
    <message>
        <source>In browsers from before 2021, the other site can then send the tab with your page to an address of its own. Newer ones prevent this.</source>
        <translation>在 2021 年之前的浏览器中，对方网站可以借此把您页面所在的标签页转到它指定的网址。较新的浏览器会防止这种情况。</translation>
    </message>
    <message>
        <source>Add rel=&quot;noopener&quot; to links with target=&quot;_blank&quot; if your visitors use old browsers.</source>
        <translation>如果您的访问者使用旧浏览器，请为带有 target=&quot;_blank&quot; 的链接添加 rel=&quot;noopener&quot;。</translation>
    </message>
    <message>
        <source>Protocol-Relative Resource Links</source>
        <translation>协议相对的资源链接</translation>
    </message>
    <message>
        <source>The page loads a file from a URL without a scheme, such as //cdn.example/a.js.</source>
        <translation>页面从没有协议的网址加载文件，例如 //cdn.example/a.js。</translation>
    </message>
    <message>
        <source>Write https:// in front.</source>
        <translation>请在前面写上 https://。</translation>
    </message>
    <message>
        <source>Missing HSTS Header</source>
        <translation>缺少 HSTS 标头</translation>
    </message>
    <message>
        <source>The response has no Strict-Transport-Security header.</source>
        <translation>响应没有 Strict-Transport-Security 标头。</translation>
    </message>
    <message>
        <source>With it, browsers never again request anything from this site over http://, so that nobody can intercept a first, unencrypted request.</source>
        <translation>有了它，浏览器就不再通过 http:// 请求此网站，没有人能截获最初的未加密请求。</translation>
    </message>
    <message>
        <source>When all of the site works over HTTPS, send the header, first with a max-age of some minutes, then of a year.</source>
        <translation>当整个网站都能通过 HTTPS 访问时，请发送该标头，max-age 先设为几分钟，然后设为一年。</translation>
    </message>
    <message>
        <source>Missing Content-Security-Policy Header</source>
        <translation>缺少 Content-Security-Policy 标头</translation>
    </message>
    <message>
        <source>The response has no Content-Security-Policy header.</source>
        <translation>响应没有 Content-Security-Policy 标头。</translation>
    </message>
    <message>
        <source>The header tells browsers which scripts, styles and frames belong to the page. If somebody smuggles in a script, they then refuse to run it.</source>
        <translation>该标头告诉浏览器哪些脚本、样式和框架属于该页面。如果有人混入脚本，浏览器会拒绝运行。</translation>
    </message>
    <message>
        <source>Begin with Content-Security-Policy-Report-Only, see what it would block, then enforce the policy.</source>
        <translation>请先使用 Content-Security-Policy-Report-Only，查看会阻止什么，再强制执行该策略。</translation>
    </message>
    <message>
        <source>Missing X-Content-Type-Options Header</source>
        <translation>缺少 X-Content-Type-Options 标头</translation>
    </message>
    <message>
        <source>The response has no header X-Content-Type-Options: nosniff.</source>
        <translation>响应没有 X-Content-Type-Options: nosniff 标头。</translation>
    </message>
    <message>
        <source>Without it, browsers may guess what a file is, and run as a script what was uploaded as an image.</source>
        <translation>没有它，浏览器可能会猜测文件类型，把作为图片上传的内容当作脚本运行。</translation>
    </message>
    <message>
        <source>Send X-Content-Type-Options: nosniff with every response, and correct content types.</source>
        <translation>请在每个响应中发送 X-Content-Type-Options: nosniff，并更正内容类型。</translation>
    </message>
    <message>
        <source>Missing X-Frame-Options Header</source>
        <translation>缺少 X-Frame-Options 标头</translation>
    </message>
    <message>
        <source>The response has neither an X-Frame-Options header nor frame-ancestors in its Content-Security-Policy.</source>
        <translation>响应没有 X-Frame-Options 标头，其 Content-Security-Policy 中也没有 frame-ancestors。</translation>
    </message>
    <message>
        <source>Other sites can show the page in an invisible frame, and make visitors click what they do not see.</source>
        <translation>其他网站可以在不可见的框架中显示该页面，诱使访问者点击看不见的内容。</translation>
    </message>
    <message>
        <source>Send Content-Security-Policy: frame-ancestors &apos;self&apos;, and X-Frame-Options: SAMEORIGIN for old browsers.</source>
        <translation>请发送 Content-Security-Policy: frame-ancestors &apos;self&apos;，并为旧浏览器发送 X-Frame-Options: SAMEORIGIN。</translation>
    </message>
    <message>
        <source>Missing Secure Referrer-Policy Header</source>
        <translation>缺少安全的 Referrer-Policy 标头</translation>
    </message>
    <message>
        <source>The response has no Referrer-Policy header, or the policy unsafe-url.</source>
        <translation>响应没有 Referrer-Policy 标头，或策略为 unsafe-url。</translation>
    </message>
    <message>
        <source>The policy decides how much of the page&apos;s URL other sites learn when visitors follow a link. A URL can hold names, searches or keys.</source>
        <translation>该策略决定访问者点击链接时其他网站能得知页面网址的多少内容。网址可能含有姓名、搜索词或密钥。</translation>
    </message>
    <message>
        <source>Send Referrer-Policy: strict-origin-when-cross-origin, or a stricter one.</source>
        <translation>请发送 Referrer-Policy: strict-origin-when-cross-origin 或更严格的策略。</translation>
    </message>
    <message>
        <source>Bad Content Type</source>
        <translation>内容类型不当</translation>
    </message>
    <message>
        <source>The Content-Type header is missing or malformed, or does not fit the content.</source>
        <translation>Content-Type 标头缺失或格式有误，或与内容不符。</translation>
    </message>
    <message>
        <source>Browsers have to guess what the file is. With X-Content-Type-Options: nosniff they may refuse it, and without a charset they may show wrong letters.</source>
        <translation>浏览器只能猜测文件类型。有 X-Content-Type-Options: nosniff 时可能拒绝它，没有 charset 时可能显示乱码。</translation>
    </message>
    <message>
        <source>Send Content-Type: text/html; charset=utf-8 for pages, and fitting types otherwise.</source>
        <translation>页面请发送 Content-Type: text/html; charset=utf-8，其他文件请发送相应的类型。</translation>
    </message>
    <message>
        <source>Cookie Without Secure, HttpOnly or SameSite</source>
        <translation>Cookie 缺少 Secure、HttpOnly 或 SameSite</translation>
    </message>
    <message>
        <source>The response sets a cookie that lacks one of Secure, HttpOnly and SameSite.</source>
        <translation>响应设置的 Cookie 缺少 Secure、HttpOnly、SameSite 之一。</translation>
    </message>
    <message>
        <source>Without Secure it also travels unencrypted, without HttpOnly any script can read it, and without SameSite browsers differ in when they send it from other sites.</source>
        <translation>没有 Secure，它也会以未加密方式传输；没有 HttpOnly，任何脚本都能读取它；没有 SameSite，各浏览器从其他网站发送它的时机各不相同。</translation>
    </message>
    <message>
        <source>Set all three. Leave out HttpOnly only if a script of the page needs the cookie.</source>
        <translation>请三者都设置。只有页面脚本需要该 Cookie 时才可省略 HttpOnly。</translation>
    </message>
    <message>
        <source>Added and Removed count URLs that both crawls have; New and Missing, URLs that only one has. Ended counts URLs that are no longer indexable pages, so that the issue does not apply to them any more; Began, URLs that have become indexable pages.</source>
        <translation>“移入”和“移出”是两次抓取都有的网址；“新增”和“缺失”是只有一次抓取有的网址。“不再适用”是不再可索引的页面，该问题不再适用于它们；“开始适用”是变为可索引的页面。</translation>
    </message>
    <message>
        <source>A Parquet file has each column once; name none twice.</source>
        <translation>Parquet 文件中每一列只能出现一次；请勿重复指定列。</translation>
    </message>
    <message>
        <source>The table has a column of numbers and texts, which Parquet cannot hold; choose another format.</source>
        <translation>此表有一列既含数字又含文本，Parquet 无法保存；请选择其他格式。</translation>
    </message>
    <message>
        <source>Read more</source>
        <translation>了解更多</translation>
    </message>
    <message>
        <source>Sitemaps are served from a folder, so its URL has no query and no fragment: {url}</source>
        <translation>站点地图由一个文件夹提供，因此其 URL 不含查询和片段：{url}</translation>
    </message>
    <message>
        <source>the response of the server is not valid HTTP</source>
        <translation>服务器的响应不是有效的 HTTP</translation>
    </message>
    <message>
        <source>This crawl read no sitemaps, so there is nothing to compare; turn on “{setting}” (--use-sitemaps) and crawl again.</source>
        <translation>此次抓取没有读取站点地图，因此没有可比较的内容；请启用“{setting}”（--use-sitemaps），然后重新抓取。</translation>
    </message>
    <message>
        <source>A segment has no name; give it one.</source>
        <translation>分区没有名称，请为其命名。</translation>
    </message>
    <message>
        <source>{name!r} cannot be the name of a segment; leave out = and the colour at its end.</source>
        <translation>{name!r} 不能用作分区名称；请去掉其中的 = 和结尾的颜色。</translation>
    </message>
    <message>
        <source>{number} pages have their canonical on the other copy of the site. That is no difference here; but their issues are those of canonicalised pages.</source>
        <translation>有 {number} 个页面的规范网址指向网站的另一份副本。这里不算作差异；但它们的问题是按已规范化到其他网址的页面来判断的。</translation>
    </message>
    <message>
        <source>Began</source>
        <translation>开始适用</translation>
    </message>
    <message>
        <source>No longer linked; whether it is still there is unknown: robots.txt forbids the request, or no server responds.</source>
        <translation>不再有链接指向它；是否仍然存在未知：robots.txt 禁止请求，或服务器没有响应。</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Redirect limit reached</source>
        <translation>达到重定向上限</translation>
    </message>
    <message>
        <source>Redirect loop</source>
        <translation>重定向循环</translation>
    </message>
    <message>
        <source>Redirect without a target</source>
        <translation>重定向无目标</translation>
    </message>
    <message>
        <source>Redirect to a malformed URL</source>
        <translation>重定向到无效网址</translation>
    </message>
    <message>
        <source>Redirect out of scope</source>
        <translation>重定向到范围外</translation>
    </message>
    <message>
        <source>Client error</source>
        <translation>客户端错误</translation>
    </message>
    <message>
        <source>Server error</source>
        <translation>服务器错误</translation>
    </message>
    <message>
        <source>Unexpected status</source>
        <translation>意外的状态码</translation>
    </message>
    <message>
        <source>Page could not be parsed</source>
        <translation>页面无法解析</translation>
    </message>
    <message>
        <source>Incomplete page</source>
        <translation>页面不完整</translation>
    </message>
    <message>
        <source>Incomplete file</source>
        <translation>文件不完整</translation>
    </message>
    <message>
        <source>Soft error page</source>
        <translation>疑似错误页</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>Connection failed</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>TLS error</source>
        <translation>TLS 错误</translation>
    </message>
    <message>
        <source>No HTTPS</source>
        <translation>不支持 HTTPS</translation>
    </message>
    <message>
        <source>Proxy error</source>
        <translation>代理故障</translation>
    </message>
    <message>
        <source>Login required</source>
        <translation>需要登录</translation>
    </message>
    <message>
        <source>Response too slow</source>
        <translation>过慢</translation>
    </message>
    <message>
        <source>Malformed response</source>
        <translation>响应格式错误</translation>
    </message>
    <message>
        <source>Corrupt response</source>
        <translation>响应数据损坏</translation>
    </message>
    <message>
        <source>Parser crashed</source>
        <translation>读取进程崩溃</translation>
    </message>
    <message>
        <source>Unexpected error</source>
        <translation>意外错误</translation>
    </message>
    <message>
        <source>Not followed</source>
        <translation>未跟踪</translation>
    </message>
    <message>
        <source>Out of scope</source>
        <translation>范围外</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Not included</source>
        <translation>未包含</translation>
    </message>
    <message>
        <source>Too deep</source>
        <translation>深度超限</translation>
    </message>
    <message>
        <source>Not an HTTP URL</source>
        <translation>非网页地址</translation>
    </message>
    <message>
        <source>Malformed URL</source>
        <translation>网址格式错误</translation>
    </message>
    <message>
        <source>URL too long</source>
        <translation>网址过长</translation>
    </message>
    <message>
        <source>Signs out or deletes</source>
        <translation>退出登录或删除</translation>
    </message>
    <message>
        <source>Beyond the redirect limit</source>
        <translation>超出重定向上限</translation>
    </message>
    <message>
        <source>Bot challenge</source>
        <translation>人机验证</translation>
    </message>
    <message>
        <source>Private IP address</source>
        <translation>内网地址</translation>
    </message>
    <message>
        <source>No sitemap</source>
        <translation>无站点地图</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>No longer linked</source>
        <translation>不再被链接</translation>
    </message>
    <message>
        <source>Not in the archive</source>
        <translation>不在存档中</translation>
    </message>
    <message>
        <source>In another shard</source>
        <translation>属于其他分片</translation>
    </message>
    <message>
        <source>Sitemap, queued</source>
        <translation>站点地图，排队中</translation>
    </message>
    <message>
        <source>Queued for checking</source>
        <translation>待检查</translation>
    </message>
    <message>
        <source>Former page, queued</source>
        <translation>先前的页面，已排队</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Skipped for now</source>
        <translation>暂时跳过</translation>
    </message>
    <message>
        <source>good</source>
        <translation>良好</translation>
    </message>
    <message>
        <source>needs improvement</source>
        <translation>需要改进</translation>
    </message>
    <message>
        <source>poor</source>
        <translation>较差</translation>
    </message>
    <message>
        <source>Time to First Byte</source>
        <translation>首字节时间</translation>
    </message>
    <message>
        <source>Transferred</source>
        <translation>传输量</translation>
    </message>
    <message>
        <source>Not found: nothing that the later crawl has read leads there.</source>
        <translation>未找到：后一次抓取读取的内容都没有指向它的链接。</translation>
    </message>
    <message>
        <source>Gone: the server returns status {status}.</source>
        <translation>已不存在：服务器返回状态码 {status}。</translation>
    </message>
    <message>
        <source>No longer linked; redirects to {url}.</source>
        <translation>不再有链接指向它；重定向到 {url}。</translation>
    </message>
    <message>
        <source>No longer linked, but still there: the server returns status {status}.</source>
        <translation>不再有链接指向它，但仍然存在：服务器返回状态码 {status}。</translation>
    </message>
    <message>
        <source>No longer linked; the server returns status {status}.</source>
        <translation>不再有链接指向它；服务器返回状态码 {status}。</translation>
    </message>
    <message>
        <source>Needs JavaScript: without it the page is empty. Rendering shows its text and links.</source>
        <translation>需要 JavaScript：没有它页面是空的。渲染页面可看到其文字和链接。</translation>
    </message>
    <message>
        <source>the archive does not have all that a browser needs to show it as the crawl did</source>
        <translation>存档中缺少浏览器按抓取时的样子显示它所需的内容</translation>
    </message>
    <message>
        <source>The condition of segment {name!r} asks for a segment; use other columns.</source>
        <translation>分区 {name!r} 的条件引用了分区本身；请改用其他列。</translation>
    </message>
    <message>
        <source>Enter the text of the note.</source>
        <translation>请输入备注内容。</translation>
    </message>
    <message>
        <source>A note has at most {most:,} characters.</source>
        <translation>备注最多 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>Say what the note is about: a URL, an issue, a date or a crawl.</source>
        <translation>请说明备注针对什么：网址、问题、日期或抓取。</translation>
    </message>
    <message>
        <source>Enter a name for the filter.</source>
        <translation>请输入筛选的名称。</translation>
    </message>
    <message>
        <source>The name of a filter has at most {most} characters.</source>
        <translation>筛选的名称最多 {most} 个字符。</translation>
    </message>
    <message>
        <source>{text!r} is not a date; write it as year-month-day, such as 2026-11-23.</source>
        <translation>{text!r} 不是日期；请写成“年-月-日”，例如 2026-11-23。</translation>
    </message>
    <message>
        <source>Difficult to read</source>
        <translation>难以阅读</translation>
    </message>
    <message>
        <source>Very difficult to read</source>
        <translation>极难阅读</translation>
    </message>
    <message>
        <source>Flesch reading ease.</source>
        <translation>Flesch 易读性评分。</translation>
    </message>
    <message>
        <source>Search engines ignore them.</source>
        <translation>搜索引擎会忽略它们。</translation>
    </message>
    <message>
        <source>Images are most of what many pages transfer. Large ones make a page slow, above all on phones, and cost visitors with a limited plan money.</source>
        <translation>许多页面传输的大部分内容是图片。大图片会拖慢页面，在手机上尤甚，还会耗费访问者的流量费用。</translation>
    </message>
    <message>
        <source>Where the page is opened over http://, the file is, too, and others on the network can change it. HTTPS works for both.</source>
        <translation>页面通过 http:// 打开时，该文件也通过 http:// 加载，网络上的其他人可以篡改它。无论哪种情况，HTTPS 都可用。</translation>
    </message>
    <message>
        <source>Report with charts</source>
        <translation>带图表的报告</translation>
    </message>
    <message>
        <source>Broken links</source>
        <translation>失效链接</translation>
    </message>
    <message>
        <source>Redirects, one row per chain</source>
        <translation>重定向，每条链一行</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Images, style sheets and other files</source>
        <translation>图片、样式表和其他文件</translation>
    </message>
    <message>
        <source>All URLs</source>
        <translation>全部网址</translation>
    </message>
    <message>
        <source>External URLs</source>
        <translation>其他网站的网址</translation>
    </message>
    <message>
        <source>Sitemap check</source>
        <translation>站点地图与链接的对比</translation>
    </message>
    <message>
        <source>Unknown view {name!r}; choose {known}.</source>
        <translation>没有名为 {name!r} 的视图；请选择 {known}。</translation>
    </message>
    <message>
        <source>{view} is a document and has no rows.</source>
        <translation>{view} 是文档，没有行。</translation>
    </message>
    <message>
        <source>Indexability</source>
        <translation>可索引性</translation>
    </message>
    <message>
        <source>Whether search engines may list it</source>
        <translation>搜索引擎能否收录</translation>
    </message>
    <message>
        <source>Indexability status</source>
        <translation>可索引状态</translation>
    </message>
    <message>
        <source>Why search engines may not list it</source>
        <translation>搜索引擎为何不能收录</translation>
    </message>
    <message>
        <source>No Response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>Blocked by Robots.txt</source>
        <translation>被 robots.txt 禁止</translation>
    </message>
    <message>
        <source>Redirected</source>
        <translation>已重定向</translation>
    </message>
    <message>
        <source>Client Error</source>
        <translation>客户端错误</translation>
    </message>
    <message>
        <source>Server Error</source>
        <translation>服务器错误</translation>
    </message>
    <message>
        <source>noindex</source>
        <translation>noindex</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>No browser was found that can render pages.</source>
        <translation>未找到可以渲染页面的浏览器。</translation>
    </message>
    <message>
        <source>Install Chrome, Chromium or Edge; Gossamer will find it by itself.</source>
        <translation>请安装 Chrome、Chromium 或 Edge，Gossamer 会自动找到它。</translation>
    </message>
    <message>
        <source>The audit process exited unexpectedly; see the log, then try again.</source>
        <translation>审计进程意外退出；请查看日志，然后重试。</translation>
    </message>
    <message>
        <source>Reading URLs and links</source>
        <translation>正在读取网址和链接</translation>
    </message>
    <message>
        <source>Applying thresholds</source>
        <translation>正在应用阈值</translation>
    </message>
    <message>
        <source>Writing results</source>
        <translation>正在写入结果</translation>
    </message>
    <message>
        <source>Response codes</source>
        <translation>响应代码</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>重复内容</translation>
    </message>
    <message>
        <source>Hreflang annotations</source>
        <translation>hreflang 标注</translation>
    </message>
    <message>
        <source>Images and resources</source>
        <translation>图片和资源</translation>
    </message>
    <message>
        <source>AMP pages</source>
        <translation>AMP 页面</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Title 1 length</source>
        <translation>标题 1 长度</translation>
    </message>
    <message>
        <source>Meta description 1 length</source>
        <translation>元描述 1 长度</translation>
    </message>
    <message>
        <source>Meta keywords 1 length</source>
        <translation>元关键词 1 长度</translation>
    </message>
    <message>
        <source>H1-1 length</source>
        <translation>H1-1 长度</translation>
    </message>
    <message>
        <source>H1-2 length</source>
        <translation>H1-2 长度</translation>
    </message>
    <message>
        <source>H2-1 length</source>
        <translation>H2-1 长度</translation>
    </message>
    <message>
        <source>H2-2 length</source>
        <translation>H2-2 长度</translation>
    </message>
    <message>
        <source>Average words per sentence</source>
        <translation>平均每句词数</translation>
    </message>
    <message>
        <source>Flesch reading ease score</source>
        <translation>Flesch 易读度</translation>
    </message>
    <message>
        <source>How easily English text reads: 100 is very easy, 0 very hard</source>
        <translation>英文文本的易读程度：100 非常容易，0 非常难</translation>
    </message>
    <message>
        <source>Readability</source>
        <translation>可读性</translation>
    </message>
    <message>
        <source>In words, by the Flesch reading ease</source>
        <translation>按 Flesch 易读度分级</translation>
    </message>
    <message>
        <source>Text ratio</source>
        <translation>文本占比</translation>
    </message>
    <message>
        <source>CO2 (mg)</source>
        <translation>二氧化碳（毫克）</translation>
    </message>
    <message>
        <source>Estimated emissions of a view, by the Sustainable Web Design Model 4</source>
        <translation>按 Sustainable Web Design 模型 4 估算的每次浏览排放量</translation>
    </message>
    <message>
        <source>Carbon rating</source>
        <translation>碳排放等级</translation>
    </message>
    <message>
        <source>From A+ to F: A+ emits less than 95% of all pages, F more than half of them</source>
        <translation>从 A+ 到 F：A+ 的排放低于 95% 的页面，F 高于半数页面</translation>
    </message>
    <message>
        <source>Folder depth</source>
        <translation>目录深度</translation>
    </message>
    <message>
        <source>Folders in the address: 1 for /a/b, 2 for /a/b/</source>
        <translation>网址中的目录层数：/a/b 为 1，/a/b/ 为 2</translation>
    </message>
    <message>
        <source>Very Easy</source>
        <translation>非常容易</translation>
    </message>
    <message>
        <source>Easy</source>
        <translation>容易</translation>
    </message>
    <message>
        <source>Fairly Easy</source>
        <translation>较容易</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Fairly Difficult</source>
        <translation>较难</translation>
    </message>
    <message>
        <source>Difficult</source>
        <translation>困难</translation>
    </message>
    <message>
        <source>Very Difficult</source>
        <translation>非常困难</translation>
    </message>
    <message>
        <source>A+</source>
        <translation>A+</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>D</source>
        <translation>D</translation>
    </message>
    <message>
        <source>E</source>
        <translation>E</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>HTTP Redirect</source>
        <translation>HTTP 重定向</translation>
    </message>
    <message>
        <source>Meta Refresh Redirect</source>
        <translation>Meta Refresh 重定向</translation>
    </message>
    <message>
        <source>HTTP Refresh</source>
        <translation>HTTP Refresh</translation>
    </message>
    <message>
        <source>HTTP version</source>
        <translation>HTTP 版本</translation>
    </message>
    <message>
        <source>Cookies</source>
        <translation>Cookie</translation>
    </message>
    <message>
        <source>The names of the cookies that it sets</source>
        <translation>它设置的 Cookie 的名称</translation>
    </message>
    <message>
        <source>% of total</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Share of all pages that link here</source>
        <translation>链接到此处的页面占全部页面的比例</translation>
    </message>
    <message>
        <source>Redirect chains</source>
        <translation>重定向链</translation>
    </message>
    <message>
        <source>Redirect and canonical chains</source>
        <translation>重定向与规范网址链</translation>
    </message>
    <message>
        <source>Canonical chains</source>
        <translation>规范网址链</translation>
    </message>
    <message>
        <source>HTTP headers</source>
        <translation>HTTP 标头</translation>
    </message>
    <message>
        <source>Cookie summary</source>
        <translation>Cookie 摘要</translation>
    </message>
    <message>
        <source>Hreflang: all annotations</source>
        <translation>Hreflang：全部注释</translation>
    </message>
    <message>
        <source>Hreflang: URLs that do not return status code 200</source>
        <translation>Hreflang：未返回 200 的网址</translation>
    </message>
    <message>
        <source>Hreflang: unlinked URLs</source>
        <translation>Hreflang：没有链接的网址</translation>
    </message>
    <message>
        <source>Hreflang: missing return links</source>
        <translation>Hreflang：缺少返回链接</translation>
    </message>
    <message>
        <source>Hreflang: inconsistent return links</source>
        <translation>Hreflang：返回链接不一致</translation>
    </message>
    <message>
        <source>Hreflang: non-canonical return links</source>
        <translation>Hreflang：非规范的返回链接</translation>
    </message>
    <message>
        <source>Hreflang: noindex return links</source>
        <translation>Hreflang：noindex 的返回链接</translation>
    </message>
    <message>
        <source>Issues overview</source>
        <translation>问题概览</translation>
    </message>
    <message>
        <source>Crawl overview</source>
        <translation>抓取概览</translation>
    </message>
    <message>
        <source>All inlinks</source>
        <translation>全部入链</translation>
    </message>
    <message>
        <source>All outlinks</source>
        <translation>全部出链</translation>
    </message>
    <message>
        <source>Insecure content</source>
        <translation>不安全的内容</translation>
    </message>
    <message>
        <source>All internal URLs</source>
        <translation>全部站内网址</translation>
    </message>
    <message>
        <source>SERP summary</source>
        <translation>搜索结果摘要</translation>
    </message>
    <message>
        <source>Orphan pages</source>
        <translation>孤立页面</translation>
    </message>
    <message>
        <source>There is no issue {name!r}; similar names: {near}.</source>
        <translation>没有名为 {name!r} 的问题；相近的名称：{near}。</translation>
    </message>
    <message>
        <source>Run &amp;audit</source>
        <translation>运行审计(&amp;A)</translation>
    </message>
    <message>
        <source>Decide the rules about the whole site</source>
        <translation>判定涉及整个网站的规则</translation>
    </message>
    <message>
        <source>Cancel aud&amp;it</source>
        <translation>取消审计(&amp;I)</translation>
    </message>
    <message>
        <source>Audit &amp;when a crawl ends or pauses</source>
        <translation>抓取结束或暂停时审计(&amp;W)</translation>
    </message>
    <message>
        <source>{name} is several tables; name a folder, or a file that ends with .xlsx.</source>
        <translation>{name} 包含多个表格；请指定一个文件夹，或以 .xlsx 结尾的文件。</translation>
    </message>
    <message>
        <source>The URLs of each issue</source>
        <translation>每个问题的网址</translation>
    </message>
    <message>
        <source>The links to the URLs of each issue</source>
        <translation>指向每个问题网址的链接</translation>
    </message>
    <message>
        <source>All reports</source>
        <translation>全部报告</translation>
    </message>
    <message>
        <source>Export its URLs…</source>
        <translation>导出其网址…</translation>
    </message>
    <message>
        <source>Export the inlinks of its URLs…</source>
        <translation>导出其网址的入链…</translation>
    </message>
    <message>
        <source>Internal HTML pages</source>
        <translation>站内 HTML 网页</translation>
    </message>
    <message>
        <source>Internal scripts</source>
        <translation>站内脚本</translation>
    </message>
    <message>
        <source>Internal style sheets</source>
        <translation>站内样式表</translation>
    </message>
    <message>
        <source>Internal images</source>
        <translation>站内图片</translation>
    </message>
    <message>
        <source>Internal PDF documents</source>
        <translation>站内 PDF 文档</translation>
    </message>
    <message>
        <source>All external URLs</source>
        <translation>所有外部网址</translation>
    </message>
    <message>
        <source>The rows are those of one issue; remove the facet issue.</source>
        <translation>这些行只属于一个问题；请移除筛选项 issue。</translation>
    </message>
    <message>
        <source>All element tabs</source>
        <translation>所有元素选项卡</translation>
    </message>
    <message>
        <source>Probe for soft 404 pages</source>
        <translation>探测软 404 页面</translation>
    </message>
    <message>
        <source>Requests one URL that does not exist from each host.</source>
        <translation>向每个主机请求一次不存在的网址。</translation>
    </message>
    <message>
        <source>Soft 404 probe</source>
        <translation>软 404 探测</translation>
    </message>
    <message>
        <source>Fetch llms.txt</source>
        <translation>获取 llms.txt</translation>
    </message>
    <message>
        <source>Requests llms.txt from the hosts of the start URLs.</source>
        <translation>向抓取起始的主机请求其 llms.txt。</translation>
    </message>
    <message>
        <source>llms.txt</source>
        <translation>llms.txt</translation>
    </message>
    <message>
        <source>The page says that something was not found or failed, or it is what the host returns for URLs that do not exist, but its status code indicates success.</source>
        <translation>页面内容表示未找到或出错，或者与主机对不存在网址的响应相同，但状态码却表示成功。</translation>
    </message>
    <message>
        <source>Soft 404 pages</source>
        <translation>软 404 页面</translation>
    </message>
    <message>
        <source>{host} redirects URLs that do not exist to {url}.</source>
        <translation>{host} 将不存在的网址重定向到 {url}。</translation>
    </message>
    <message>
        <source>{host} returns a page with status {status} for URLs that do not exist.</source>
        <translation>{host} 对不存在的网址返回页面，状态码为 {status}。</translation>
    </message>
    <message>
        <source>An issue can be ignored for at most {most} patterns; use * to cover more URLs with one.</source>
        <translation>一个问题最多可按 {most} 个模式忽略；请用 * 合并模式。</translation>
    </message>
    <message>
        <source>Of all URLs that were requested, files and external URLs included.</source>
        <translation>占全部已请求网址（含文件和外部网址）的比例。</translation>
    </message>
    <message>
        <source>Of all URLs of the site.</source>
        <translation>占本站全部网址的比例。</translation>
    </message>
    <message>
        <source>Of all URLs of other sites that were checked.</source>
        <translation>占全部已检查的外部网址的比例。</translation>
    </message>
    <message>
        <source>Of all HTML pages of the site.</source>
        <translation>占本站全部 HTML 网页的比例。</translation>
    </message>
    <message>
        <source>Of the indexable HTML pages of the site.</source>
        <translation>占本站可索引 HTML 网页的比例。</translation>
    </message>
    <message>
        <source>Ignored issues</source>
        <translation>已忽略的问题</translation>
    </message>
    <message>
        <source>Enter the addresses for which to ignore the issue; * stands for all.</source>
        <translation>请输入要忽略此问题的网址；* 表示全部。</translation>
    </message>
    <message>
        <source>A pattern of addresses has at most {most:,} characters.</source>
        <translation>网址模式最多 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>A URL of another site responded, but it is unclear whether it works: the transfer broke off, or the response makes no sense.</source>
        <translation>指向其他网站的链接有响应，但无法判断它是否可用：传输中断，或响应没有意义。</translation>
    </message>
    <message>
        <source>It may work for visitors, so it is not counted as broken.</source>
        <translation>访问者可能可以正常打开，因此不计为失效。</translation>
    </message>
    <message>
        <source>Open it in a browser. If it does not work there, replace or remove the link.</source>
        <translation>在浏览器中打开它。如果在那里也不正常，请替换或删除该链接。</translation>
    </message>
    <message>
        <source>The URL responded, but it is unclear whether it works: the transfer broke off, only scripts can show the page, or the response makes no sense.</source>
        <translation>该网址有响应，但无法判断它是否可用：传输中断、页面只能由脚本显示，或响应没有意义。</translation>
    </message>
    <message>
        <source>Open it in a browser. If it works there, nothing is wrong with the URL itself.</source>
        <translation>在浏览器中打开它。如果在那里正常，网址本身就没有问题。</translation>
    </message>
    <message>
        <source>Ignore this issue…</source>
        <translation>忽略此问题…</translation>
    </message>
    <message>
        <source>Ignore this issue for the selected URLs…</source>
        <translation>对选中的网址忽略此问题…</translation>
    </message>
    <message>
        <source>Stop ignoring</source>
        <translation>停止忽略</translation>
    </message>
    <message>
        <source>What checked the spelling; empty if there is no dictionary for the language</source>
        <translation>用于检查拼写的词典；如果该语言没有词典则为空</translation>
    </message>
    <message>
        <source>Check spelling</source>
        <translation>检查拼写</translation>
    </message>
    <message>
        <source>With the Hunspell dictionaries on this computer; nothing is sent anywhere.</source>
        <translation>使用此计算机上的 Hunspell 词典；不会向任何地方发送内容。</translation>
    </message>
    <message>
        <source>Dictionaries</source>
        <translation>词典</translation>
    </message>
    <message>
        <source>Such as en_GB, one per line; empty: the language that each page declares.</source>
        <translation>例如 en_GB，每行一个；留空：按各页面声明的语言。</translation>
    </message>
    <message>
        <source>a language code</source>
        <translation>语言代码</translation>
    </message>
    <message>
        <source>Folder of dictionaries</source>
        <translation>词典文件夹</translation>
    </message>
    <message>
        <source>With files such as en_GB.aff and en_GB.dic. System dictionaries are found as well.</source>
        <translation>其中有 en_GB.aff 和 en_GB.dic 之类的文件；系统中的词典也会被找到。</translation>
    </message>
    <message>
        <source>Shortest word</source>
        <translation>最短单词</translation>
    </message>
    <message>
        <source>Letters.</source>
        <translation>字母数。</translation>
    </message>
    <message>
        <source>Check words in capitals</source>
        <translation>检查全大写的单词</translation>
    </message>
    <message>
        <source>Check words with digits</source>
        <translation>检查含数字的单词</translation>
    </message>
    <message>
        <source>Skip capitalised words</source>
        <translation>跳过首字母大写的单词</translation>
    </message>
    <message>
        <source>Most are names; in German, all nouns are capitalised.</source>
        <translation>大多是专有名词；在德语中是所有名词。</translation>
    </message>
    <message>
        <source>Ignored words</source>
        <translation>忽略的单词</translation>
    </message>
    <message>
        <source>Names and terms that are correct, one per line, in upper or lower case.</source>
        <translation>每行一个，不分大小写：正确的名称和术语。</translation>
    </message>
    <message>
        <source>a word</source>
        <translation>单词</translation>
    </message>
    <message>
        <source>Find the language of every page</source>
        <translation>识别每个页面的语言</translation>
    </message>
    <message>
        <source>Detected from its text; takes about 80 MB of memory per page worker.</source>
        <translation>根据其文本；每个页面进程约占用 80 MB。</translation>
    </message>
    <message>
        <source>LanguageTool server</source>
        <translation>LanguageTool 服务器</translation>
    </message>
    <message>
        <source>Checks grammar. The texts of all pages are sent to this server; empty: no check.</source>
        <translation>用于语法检查。所有页面的文本都会发送到此服务器；留空：不发送。</translation>
    </message>
    <message>
        <source>Ignored grammar rules</source>
        <translation>忽略的语法规则</translation>
    </message>
    <message>
        <source>Ids such as EN_A_VS_AN, one per line.</source>
        <translation>例如 EN_A_VS_AN 的规则标识，每行一个。</translation>
    </message>
    <message>
        <source>the id of a rule</source>
        <translation>规则标识</translation>
    </message>
    <message>
        <source>Correct the words. Names and technical terms that are right go to the ignored words: they count no more at once.</source>
        <translation>请更正这些单词。正确的名称和术语可加入忽略的单词，它们会立即不再计入。</translation>
    </message>
    <message>
        <source>Read the sentence aloud and correct it. A checker may be wrong: rules that do not suit the site go to the ignored grammar rules.</source>
        <translation>请朗读句子并更正。检查工具也可能出错：不适合此网站的规则可加入忽略的语法规则。</translation>
    </message>
    <message>
        <source>Language match</source>
        <translation>语言是否一致</translation>
    </message>
    <message>
        <source>Whether the page says the language that its text is in</source>
        <translation>页面声明的语言与文本的语言是否一致</translation>
    </message>
    <message>
        <source>Language found</source>
        <translation>识别出的语言</translation>
    </message>
    <message>
        <source>The language of the text itself, as far as it was looked for</source>
        <translation>文本本身的语言（如果识别过）</translation>
    </message>
    <message>
        <source>Dictionary</source>
        <translation>词典</translation>
    </message>
    <message>
        <source>Spelling errors</source>
        <translation>拼写错误</translation>
    </message>
    <message>
        <source>Words that the dictionary does not know; empty where spelling was not checked</source>
        <translation>词典中没有的单词；未检查拼写时为空</translation>
    </message>
    <message>
        <source>Grammar errors</source>
        <translation>语法错误</translation>
    </message>
    <message>
        <source>As LanguageTool counts them; empty where grammar was not checked</source>
        <translation>由 LanguageTool 统计；未检查语法时为空</translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is not {what}; correct or remove it.</source>
        <translation>“{text}”不是{what}；请更正或移除。</translation>
    </message>
    <message>
        <source>{setting} is not the path of a folder.</source>
        <translation>{setting}不是文件夹的路径。</translation>
    </message>
    <message>
        <source>{setting} must be an address such as {example}, without user name and query.</source>
        <translation>{setting}必须是 {example} 这样的地址，不含用户名和查询。</translation>
    </message>
    <message>
        <source>Same</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>Different</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>Not said</source>
        <translation>未声明</translation>
    </message>
    <message>
        <source>The dictionary {file} cannot be read; reinstall it.</source>
        <translation>无法读取词典 {file}；请重新安装。</translation>
    </message>
    <message>
        <source>Spelling cannot be checked because the library chunspell is missing; install it with &apos;pip install chunspell&apos;.</source>
        <translation>缺少 chunspell 库，无法检查拼写；请使用“pip install chunspell”安装。</translation>
    </message>
    <message>
        <source>The audit did not complete, so nothing was exported; try again.</source>
        <translation>审计未完成，因此没有导出任何内容；请重试。</translation>
    </message>
    <message>
        <source>It is an HTML page, not Markdown.</source>
        <translation>这是 HTML 页面，不是 Markdown。</translation>
    </message>
    <message>
        <source>It has no heading of level 1, which is to name the site.</source>
        <translation>缺少用于命名网站的一级标题。</translation>
    </message>
    <message>
        <source>It does not begin with the heading that names the site.</source>
        <translation>开头不是命名网站的标题。</translation>
    </message>
    <message>
        <source>It has several headings of level 1: sections have level 2.</source>
        <translation>有多个一级标题：各节应使用二级标题。</translation>
    </message>
    <message>
        <source>It has no links.</source>
        <translation>没有链接。</translation>
    </message>
    <message>
        <source>Its links stand outside its sections.</source>
        <translation>链接不在任何一节之内。</translation>
    </message>
    <message>
        <source>Crawler access</source>
        <translation>爬虫访问权限</translation>
    </message>
    <message>
        <source>Made-up URLs</source>
        <translation>虚构网址</translation>
    </message>
    <message>
        <source>This is HTML, not a robots.txt.</source>
        <translation>这是 HTML，不是 robots.txt。</translation>
    </message>
    <message>
        <source>Crawlers read 500 KiB: what follows is ignored.</source>
        <translation>爬虫只读取 500 KiB：其后的内容会被忽略。</translation>
    </message>
    <message>
        <source>A colon is missing after {field}.</source>
        <translation>{field} 后缺少冒号。</translation>
    </message>
    <message>
        <source>“{name}” is read as {field}.</source>
        <translation>“{name}”会被当作 {field}。</translation>
    </message>
    <message>
        <source>It comes before any User-agent line and is ignored.</source>
        <translation>它位于任何 User-agent 行之前，会被忽略。</translation>
    </message>
    <message>
        <source>This is not a record: a field, a colon and a value.</source>
        <translation>这不是一条记录：应为字段、冒号和值。</translation>
    </message>
    <message>
        <source>Most crawlers ignore {name}.</source>
        <translation>大多数爬虫会忽略 {name}。</translation>
    </message>
    <message>
        <source>There is no field “{name}”: crawlers ignore the line.</source>
        <translation>没有“{name}”这个字段：爬虫会忽略该行。</translation>
    </message>
    <message>
        <source>The name of a crawler is missing; * means all.</source>
        <translation>缺少爬虫名称；* 表示全部。</translation>
    </message>
    <message>
        <source>A sitemap needs a complete URL, with https://.</source>
        <translation>站点地图需要完整网址（含 https://）。</translation>
    </message>
    <message>
        <source>The delay is no number of seconds.</source>
        <translation>延迟不是以秒为单位的数字。</translation>
    </message>
    <message>
        <source>A path is expected, not a URL: this matches nothing.</source>
        <translation>此处应为路径而不是网址：不会匹配任何内容。</translation>
    </message>
    <message>
        <source>A path begins with a slash: this may match nothing.</source>
        <translation>路径应以斜杠开头：可能不会匹配任何内容。</translation>
    </message>
    <message>
        <source>$ means the end of a URL only as the last character.</source>
        <translation>$ 只有作为最后一个字符时才表示网址结尾。</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头部（head）</translation>
    </message>
    <message>
        <source>Navigation</source>
        <translation>导航</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>页眉</translation>
    </message>
    <message>
        <source>Aside</source>
        <translation>侧栏</translation>
    </message>
    <message>
        <source>Footer</source>
        <translation>页脚</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>绝对</translation>
    </message>
    <message>
        <source>Protocol-Relative</source>
        <translation>相对于协议</translation>
    </message>
    <message>
        <source>Root-Relative</source>
        <translation>相对于根目录</translation>
    </message>
    <message>
        <source>Path-Relative</source>
        <translation>相对于路径</translation>
    </message>
    <message>
        <source>Link path</source>
        <translation>链接路径</translation>
    </message>
    <message>
        <source>Link position</source>
        <translation>链接位置</translation>
    </message>
    <message>
        <source>The part of the page that the link is in</source>
        <translation>链接所在的页面部分</translation>
    </message>
    <message>
        <source>Path type</source>
        <translation>路径类型</translation>
    </message>
    <message>
        <source>How the URL is written on the page</source>
        <translation>网址在页面上的写法</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>打开方式</translation>
    </message>
    <message>
        <source>Where the link opens: _blank for a new window</source>
        <translation>链接在何处打开，例如新窗口</translation>
    </message>
    <message>
        <source>This crawl sends the texts of its pages to the LanguageTool server {server}.</source>
        <translation>此次抓取会将页面的文本发送到 LanguageTool 服务器 {server}。</translation>
    </message>
    <message>
        <source>There is no dictionary for the language {code}: install one, on Debian and Ubuntu with &apos;apt install {package}&apos;, or put {file}.aff and {file}.dic into a folder and name it in the settings (--dictionaries).</source>
        <translation>没有语言 {code} 的词典：请安装词典（在 Debian 和 Ubuntu 上使用“apt install {package}”），或将 {file}.aff 和 {file}.dic 放入文件夹并在设置中指定 (--dictionaries)。</translation>
    </message>
    <message>
        <source>There is no dictionary for the language {code}: put {file}.aff and {file}.dic, which LibreOffice has too, into a folder and name it in the settings (--dictionaries).</source>
        <translation>没有语言 {code} 的词典：请将 {file}.aff 和 {file}.dic（LibreOffice 中也有）放入文件夹并在设置中指定 (--dictionaries)。</translation>
    </message>
    <message>
        <source>Spelling and grammar errors by page</source>
        <translation>各页面的拼写和语法错误</translation>
    </message>
    <message>
        <source>Spelling and grammar errors of the site</source>
        <translation>整个网站的拼写和语法错误</translation>
    </message>
    <message>
        <source>Custom searches</source>
        <translation>自定义搜索</translation>
    </message>
    <message>
        <source>Texts and regular expressions that are counted in each page.</source>
        <translation>在每个页面中计数的文本和正则表达式。</translation>
    </message>
    <message>
        <source>Custom extractions</source>
        <translation>自定义提取</translation>
    </message>
    <message>
        <source>What CSS selectors, XPaths and regular expressions find in each page.</source>
        <translation>CSS 选择器、XPath 和正则表达式在每个页面中找到的内容。</translation>
    </message>
    <message>
        <source>regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>CSS selector</source>
        <translation>CSS 选择器</translation>
    </message>
    <message>
        <source>XPath</source>
        <translation>XPath 表达式</translation>
    </message>
    <message>
        <source>The {kind} of {name!r} is not valid: {why}; correct it.</source>
        <translation>{name!r} 的 {kind} 无效：{why}；请改正。</translation>
    </message>
    <message>
        <source>The {kind} of {name!r} is not valid: {why} at character {position}; correct it.</source>
        <translation>{name!r} 的 {kind} 无效：第 {position} 个字符处 {why}；请改正。</translation>
    </message>
    <message>
        <source>{name!r} is taken; choose another name.</source>
        <translation>{name!r} 已被使用；请换一个名称。</translation>
    </message>
    <message>
        <source>{name!r} has no pattern; fill it in or remove it.</source>
        <translation>{name!r} 没有模式；请填写或移除。</translation>
    </message>
    <message>
        <source>The pattern of {name!r} is longer than {most:,} characters; shorten it.</source>
        <translation>{name!r} 的模式超过 {most:,} 个字符；请缩短。</translation>
    </message>
    <message>
        <source>{name!r} needs a CSS selector to search in elements, and has none elsewhere; correct where it searches or its selector.</source>
        <translation>{name!r} 在元素中搜索时需要 CSS 选择器，在别处搜索时不能有；请改正搜索范围或选择器。</translation>
    </message>
    <message>
        <source>The selector of {name!r} is longer than {most:,} characters; shorten it.</source>
        <translation>{name!r} 的选择器超过 {most:,} 个字符；请缩短。</translation>
    </message>
    <message>
        <source>{name!r} needs the name of an attribute to extract one, and has none otherwise; correct what it extracts or the attribute.</source>
        <translation>{name!r} 提取属性时需要属性名称，提取其他内容时不能有；请改正提取内容或属性。</translation>
    </message>
    <message>
        <source>{name!r} is a regular expression, which gives text or a count; use CSS or XPath for inner HTML and attributes.</source>
        <translation>{name!r} 是正则表达式，只能得到文本或匹配数；提取内部 HTML 和属性请用 CSS 或 XPath。</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>已超时</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Switched off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>{setting}: {count:,} are too many; keep at most {most}.</source>
        <translation>{setting}：{count:,} 个太多；最多保留 {most} 个。</translation>
    </message>
    <message>
        <source>{setting}: there are two called {name!r}; rename one.</source>
        <translation>{setting}：有两个名为 {name!r}；请重命名其中一个。</translation>
    </message>
    <message>
        <source>A custom search or extraction has no name; give it one.</source>
        <translation>有一个自定义搜索或提取没有名称；请为它命名。</translation>
    </message>
    <message>
        <source>The name {name!r} is longer than {most} characters; shorten it.</source>
        <translation>名称 {name!r} 超过 {most} 个字符；请缩短。</translation>
    </message>
    <message>
        <source>The name {name!r} must be one line of visible characters, without spaces around it.</source>
        <translation>名称 {name!r} 必须是一行可见字符，两端没有空格。</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Image Without Alt</source>
        <translation>缺少 alt 的图像</translation>
    </message>
    <message>
        <source>Link Without Text</source>
        <translation>没有文本的链接</translation>
    </message>
    <message>
        <source>Non-200 AMP URL</source>
        <translation>非 200 的 AMP 网址</translation>
    </message>
    <message>
        <source>Page Without AMP Link</source>
        <translation>没有 AMP 链接的网页</translation>
    </message>
    <message>
        <source>Non-AMP Page</source>
        <translation>非 AMP 网页</translation>
    </message>
    <message>
        <source>Canonical Of</source>
        <translation>作为以下网页的规范网址</translation>
    </message>
    <message>
        <source>Page With Same Content</source>
        <translation>内容相同的网页</translation>
    </message>
    <message>
        <source>Most Similar Page</source>
        <translation>最相似的网页</translation>
    </message>
    <message>
        <source>Page With Same H1</source>
        <translation>H1 相同的网页</translation>
    </message>
    <message>
        <source>Page With Same H2</source>
        <translation>H2 相同的网页</translation>
    </message>
    <message>
        <source>Non-200 Hreflang URL</source>
        <translation>非 200 的 hreflang 网址</translation>
    </message>
    <message>
        <source>Unlinked Hreflang URL</source>
        <translation>无链接的 hreflang 网址</translation>
    </message>
    <message>
        <source>URL Without Return Link</source>
        <translation>没有返回链接的网址</translation>
    </message>
    <message>
        <source>URL With Inconsistent Return Link</source>
        <translation>返回链接不一致的网址</translation>
    </message>
    <message>
        <source>Non-Canonical Hreflang URL</source>
        <translation>非规范的 hreflang 网址</translation>
    </message>
    <message>
        <source>Noindex Hreflang URL</source>
        <translation>noindex 的 hreflang 网址</translation>
    </message>
    <message>
        <source>Canonical Not In Hreflang</source>
        <translation>hreflang 中没有的规范网址</translation>
    </message>
    <message>
        <source>Shown On</source>
        <translation>显示于</translation>
    </message>
    <message>
        <source>Page With Same Description</source>
        <translation>描述相同的网页</translation>
    </message>
    <message>
        <source>Page With Same Keywords</source>
        <translation>关键词相同的网页</translation>
    </message>
    <message>
        <source>Localhost Link</source>
        <translation>指向本机的链接</translation>
    </message>
    <message>
        <source>Linked From</source>
        <translation>链接来源</translation>
    </message>
    <message>
        <source>Linked Internal URLs</source>
        <translation>链接的内部网址数</translation>
    </message>
    <message>
        <source>Linked External URLs</source>
        <translation>链接的外部网址数</translation>
    </message>
    <message>
        <source>Nofollow Link</source>
        <translation>nofollow 链接</translation>
    </message>
    <message>
        <source>Nofollow Link From</source>
        <translation>nofollow 链接来源</translation>
    </message>
    <message>
        <source>Page With Same Title</source>
        <translation>标题相同的网页</translation>
    </message>
    <message>
        <source>Pagination URL Not In Anchor</source>
        <translation>不在锚标签中的分页网址</translation>
    </message>
    <message>
        <source>Non-200 Pagination URL</source>
        <translation>非 200 的分页网址</translation>
    </message>
    <message>
        <source>Named By</source>
        <translation>引用它的网页</translation>
    </message>
    <message>
        <source>Pagination URLs</source>
        <translation>分页网址</translation>
    </message>
    <message>
        <source>Next Page Without Return</source>
        <translation>没有返回链接的下一页</translation>
    </message>
    <message>
        <source>Insecure Resource</source>
        <translation>不安全的资源</translation>
    </message>
    <message>
        <source>Form Action</source>
        <translation>表单提交地址</translation>
    </message>
    <message>
        <source>Unsafe Link</source>
        <translation>不安全的链接</translation>
    </message>
    <message>
        <source>Protocol-Relative Resource</source>
        <translation>协议相对的资源</translation>
    </message>
    <message>
        <source>X-Content-Type-Options</source>
        <translation>X-Content-Type-Options</translation>
    </message>
    <message>
        <source>Referrer-Policy</source>
        <translation>Referrer-Policy</translation>
    </message>
    <message>
        <source>Content-Type Header</source>
        <translation>Content-Type 标头</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>条目数</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>路径段</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Repeated Segment</source>
        <translation>重复的路径段</translation>
    </message>
    <message>
        <source>Tracking Parameters</source>
        <translation>跟踪参数</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Used On</source>
        <translation>用于</translation>
    </message>
    <message>
        <source>2xx success</source>
        <translation>2xx 成功</translation>
    </message>
    <message>
        <source>3xx redirect</source>
        <translation>3xx 重定向</translation>
    </message>
    <message>
        <source>4xx client error</source>
        <translation>4xx 客户端错误</translation>
    </message>
    <message>
        <source>5xx server error</source>
        <translation>5xx 服务器错误</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>失效</translation>
    </message>
    <message>
        <source>Refused (401, 403)</source>
        <translation>被拒绝（401、403）</translation>
    </message>
    <message>
        <source>Uncertain: may be temporary</source>
        <translation>不确定：可能是暂时的</translation>
    </message>
    <message>
        <source>Never requested</source>
        <translation>未请求</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>cancelling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>no address</source>
        <translation>无网址</translation>
    </message>
    <message>
        <source>Slowest pages</source>
        <translation>最慢的页面</translation>
    </message>
    <message>
        <source>Largest pages</source>
        <translation>最大的页面</translation>
    </message>
    <message>
        <source>Crawl of {host}</source>
        <translation>{host} 的抓取</translation>
    </message>
    <message>
        <source>en</source>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>Started from</source>
        <translation>起始网址</translation>
    </message>
    <message>
        <source>Crawled on</source>
        <translation>抓取时间</translation>
    </message>
    <message>
        <source>It took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Certificates not checked</source>
        <translation>未检查证书的服务器</translation>
    </message>
    <message>
        <source>Crawl report</source>
        <translation>抓取报告</translation>
    </message>
    <message>
        <source>addresses found</source>
        <translation>发现的网址</translation>
    </message>
    <message>
        <source>pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>redirects</source>
        <translation>重定向</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>median response</source>
        <translation>响应时间中位数</translation>
    </message>
    <message>
        <source>received</source>
        <translation>已接收</translation>
    </message>
    <message>
        <source>not read to the end</source>
        <translation>未读完</translation>
    </message>
    <message>
        <source>other statuses</source>
        <translation>其他状态</translation>
    </message>
    <message>
        <source>Responses by status</source>
        <translation>按状态码统计的响应</translation>
    </message>
    <message>
        <source>responses</source>
        <translation>个响应</translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Addresses by clicks from the start</source>
        <translation>按距起始页的点击次数划分的网址</translation>
    </message>
    <message>
        <source>Clicks from the start</source>
        <translation>距起始页的点击次数</translation>
    </message>
    <message>
        <source>Response times</source>
        <translation>响应时间</translation>
    </message>
    <message>
        <source>Responses by response time</source>
        <translation>按响应时间划分的响应</translation>
    </message>
    <message>
        <source>{percent} % within {time} ms</source>
        <translation>{percent}% 在 {time} 毫秒内</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>Content types</source>
        <translation>内容类型</translation>
    </message>
    <message>
        <source>Trap limit: such as {url}</source>
        <translation>陷阱上限：例如 {url}</translation>
    </message>
    <message>
        <source>Never requested, and why</source>
        <translation>未请求的网址及原因</translation>
    </message>
    <message>
        <source>Nothing here.</source>
        <translation>无内容。</translation>
    </message>
    <message>
        <source>Issue</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Opportunity</source>
        <translation>改进机会</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Issues</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Pages were crawled, or thresholds changed, since the audit.</source>
        <translation>审计之后又抓取了页面，或更改了阈值。</translation>
    </message>
    <message>
        <source>The audit found no issues.</source>
        <translation>审计未发现问题。</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>URLs</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>What the issues mean, and how to fix them</source>
        <translation>各问题的含义及解决方法</translation>
    </message>
    <message>
        <source>{group}: {name}</source>
        <translation>{group}：{name}</translation>
    </message>
    <message>
        <source>URLs: </source>
        <translation>网址：</translation>
    </message>
    <message>
        <source>{meaning} {reason}</source>
        <translation>{meaning}{reason}</translation>
    </message>
    <message>
        <source>How to fix:</source>
        <translation>解决方法：</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>以及另外 {count} 个</translation>
    </message>
    <message>
        <source>{label}: </source>
        <translation>{label}：</translation>
    </message>
    <message>
        <source>loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>超过上限</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>失效</translation>
    </message>
    <message>
        <source>permanent</source>
        <translation>永久</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>No errors. Every URL that was requested works.</source>
        <translation>没有错误。所有请求过的网址均正常。</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Pages that link</source>
        <translation>链接页面数</translation>
    </message>
    <message>
        <source>Such as</source>
        <translation>例如</translation>
    </message>
    <message>
        <source>{shown} of {number} errors, most linked first.</source>
        <translation>{number} 个错误中的 {shown} 个，链接最多的在前。</translation>
    </message>
    <message>
        <source>There are no redirect chains, and every redirect leads to a working URL.</source>
        <translation>没有重定向链，所有重定向都指向正常的网址。</translation>
    </message>
    <message>
        <source>Hops: </source>
        <translation>跳转次数：</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Those that do not end at a working URL, and the longest. In total:</source>
        <translation>未以正常网址结束的链和最长的链。总计：</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Pages that link: </source>
        <translation>链接页面数：</translation>
    </message>
    <message>
        <source>redirects there</source>
        <translation>重定向到此处</translation>
    </message>
    <message>
        <source>… {count} more</source>
        <translation>……另有 {count} 个</translation>
    </message>
    <message>
        <source>2 stands for two or more</source>
        <translation>2 表示两个或更多</translation>
    </message>
    <message>
        <source>Title occurrences</source>
        <translation>标题数</translation>
    </message>
    <message>
        <source>Meta description occurrences</source>
        <translation>元描述数</translation>
    </message>
    <message>
        <source>Meta keywords occurrences</source>
        <translation>元关键词数</translation>
    </message>
    <message>
        <source>H1 occurrences</source>
        <translation>H1 数</translation>
    </message>
    <message>
        <source>H2 occurrences</source>
        <translation>H2 数</translation>
    </message>
    <message>
        <source>JSON-LD</source>
        <translation>JSON-LD</translation>
    </message>
    <message>
        <source>Microdata</source>
        <translation>Microdata</translation>
    </message>
    <message>
        <source>RDFa</source>
        <translation>RDFa</translation>
    </message>
    <message>
        <source>Parse errors</source>
        <translation>解析错误</translation>
    </message>
    <message>
        <source>Validation errors</source>
        <translation>验证错误</translation>
    </message>
    <message>
        <source>Validation warnings</source>
        <translation>验证警告</translation>
    </message>
    <message>
        <source>Rich result errors</source>
        <translation>富媒体结果错误</translation>
    </message>
    <message>
        <source>Rich result warnings</source>
        <translation>富媒体结果警告</translation>
    </message>
    <message>
        <source>Rich results</source>
        <translation>富媒体结果</translation>
    </message>
    <message>
        <source>Address length</source>
        <translation>网址长度</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>哈希值</translation>
    </message>
    <message>
        <source>Custom search</source>
        <translation>自定义搜索</translation>
    </message>
    <message>
        <source>Custom extraction</source>
        <translation>自定义提取</translation>
    </message>
    <message>
        <source>The facet {facet} is about links, and the rows of {view} are URLs; use the view links.</source>
        <translation>筛选项 {facet} 针对链接，而 {view} 的行是网址；请使用视图 links。</translation>
    </message>
    <message>
        <source>Looking for suggestions took too long.</source>
        <translation>查找建议的时间过长。</translation>
    </message>
    <message>
        <source>Pages whose grammar was not checked: {pages:,}. The LanguageTool server {server} did not respond, or does not support their language; see the log.</source>
        <translation>未检查语法的页面：{pages:,} 个。LanguageTool 服务器 {server} 没有响应，或不支持其语言；请查看日志。</translation>
    </message>
    <message>
        <source>Pages whose spelling was not checked, because their language is not known: {pages:,}. Name a dictionary for them in the settings (--spelling-language).</source>
        <translation>因语言未知而未检查拼写的页面：{pages:,} 个。请在设置中为它们指定词典 (--spelling-language)。</translation>
    </message>
    <message>
        <source>Pages in the language {code} whose spelling was not checked: {pages:,}. It is written without spaces between words, so that no dictionary can check it.</source>
        <translation>语言为 {code} 且未检查拼写的页面：{pages:,} 个。该语言的单词之间没有空格，词典无法检查。</translation>
    </message>
    <message>
        <source>Pages whose spelling was not checked: {pages:,}. {why}</source>
        <translation>未检查拼写的页面：{pages:,} 个。{why}</translation>
    </message>
    <message>
        <source>Ignore this word or rule</source>
        <translation>忽略此单词或规则</translation>
    </message>
    <message>
        <source>Spelling and gra&amp;mmar…</source>
        <translation>拼写和语法(&amp;M)…</translation>
    </message>
    <message>
        <source>Misspelt words and grammar errors of the site</source>
        <translation>网站的拼写错误和语法错误</translation>
    </message>
    <message>
        <source>Spelling</source>
        <translation>拼写</translation>
    </message>
    <message>
        <source>The dictionary {name} is no longer on this computer.</source>
        <translation>此计算机上已没有词典 {name}。</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>网站分区</translation>
    </message>
    <message>
        <source>Issues by segment</source>
        <translation>按分区统计的问题</translation>
    </message>
    <message>
        <source>The first segment of the settings whose condition holds</source>
        <translation>设置中第一个条件成立的分区</translation>
    </message>
    <message>
        <source>There are at most {most} segments.</source>
        <translation>最多可有 {most} 个分区。</translation>
    </message>
    <message>
        <source>There are two segments {name!r}; join their conditions with or.</source>
        <translation>有两个名为 {name!r} 的分区；请用 or 合并其条件。</translation>
    </message>
    <message>
        <source>{text!r} is not a segment; write it as NAME=CONDITION, such as Blog=address contains /blog/</source>
        <translation>{text!r} 不是分区；请写成“名称=条件”，例如 Blog=address contains /blog/</translation>
    </message>
    <message>
        <source>A condition is empty; write one such as: address contains /blog/</source>
        <translation>条件为空；请输入条件，例如：address contains /blog/</translation>
    </message>
    <message>
        <source>A condition has too many parentheses in each other.</source>
        <translation>条件中嵌套的括号过多。</translation>
    </message>
    <message>
        <source>A condition has at most {most} tests.</source>
        <translation>一个条件最多包含 {most} 个测试。</translation>
    </message>
    <message>
        <source>{name!r} is not a column; use one such as address, status, title, words or depth.</source>
        <translation>{name!r} 不是列；请使用 address、status、title、words 或 depth 等。</translation>
    </message>
    <message>
        <source>{what!r} is not a comparison; use one of {known}.</source>
        <translation>{what!r} 不是比较方式；请使用 {known} 之一。</translation>
    </message>
    <message>
        <source>The condition &quot;{condition}&quot; cannot be read at &quot;{at}&quot;; write it like: address contains /blog/ and words &lt; 300</source>
        <translation>无法在“{at}”处读取条件“{condition}”；请写成类似：address contains /blog/ and words &lt; 300</translation>
    </message>
    <message>
        <source>{column} cannot be {value!r}; it is one of {known}.</source>
        <translation>{column} 不能为 {value!r}；可选值为 {known}。</translation>
    </message>
    <message>
        <source>{column} is a number, not {value!r}.</source>
        <translation>{column} 是数字，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>Crawlers and ro&amp;bots.txt…</source>
        <translation>爬虫与 robots.txt(&amp;B)…</translation>
    </message>
    <message>
        <source>Which search engines and AI services may crawl this site</source>
        <translation>哪些搜索引擎和人工智能服务可以抓取该网站</translation>
    </message>
    <message>
        <source>{url} Status Code</source>
        <translation>{url}的状态码</translation>
    </message>
    <message>
        <source>{url} Indexability Status</source>
        <translation>{url}的可索引状态</translation>
    </message>
    <message>
        <source>Robots by crawler</source>
        <translation>按爬虫的 Robots 元标签</translation>
    </message>
    <message>
        <source>What the page asks of individual crawlers by name</source>
        <translation>页面对各个指名爬虫的要求</translation>
    </message>
    <message>
        <source>Render pages</source>
        <translation>渲染页面</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Where needed</source>
        <translation>需要时</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Desktop</source>
        <translation>桌面端</translation>
    </message>
    <message>
        <source>Width and height such as 1280x800; empty: that of the device.</source>
        <translation>宽度和高度，例如 1280x800；留空则使用设备的尺寸。</translation>
    </message>
    <message>
        <source>Wait for scripts</source>
        <translation>等待脚本</translation>
    </message>
    <message>
        <source>Virtual time is fast: timers of the page run at once.</source>
        <translation>虚拟时间很快：页面的计时器会立即运行。</translation>
    </message>
    <message>
        <source>In virtual time</source>
        <translation>按虚拟时间</translation>
    </message>
    <message>
        <source>In real time</source>
        <translation>按实际时间</translation>
    </message>
    <message>
        <source>Time for scripts</source>
        <translation>脚本时间</translation>
    </message>
    <message>
        <source>After the page has loaded.</source>
        <translation>页面加载完成之后。</translation>
    </message>
    <message>
        <source>Longest rendering</source>
        <translation>最长渲染时间</translation>
    </message>
    <message>
        <source>A page that takes longer is read in its state at that time.</source>
        <translation>超过此时间的页面按当时的状态读取。</translation>
    </message>
    <message>
        <source>Pages at once</source>
        <translation>同时渲染的页面数</translation>
    </message>
    <message>
        <source>Each takes about 20 MB of memory.</source>
        <translation>每个约占 20 MB 内存。</translation>
    </message>
    <message>
        <source>two per core</source>
        <translation>每个核心两个</translation>
    </message>
    <message>
        <source>Keep screenshots</source>
        <translation>保留截图</translation>
    </message>
    <message>
        <source>One of each rendered page, about 50 KB each.</source>
        <translation>每个渲染的页面一张：每张约 50 KB。</translation>
    </message>
    <message>
        <source>Read shadow DOM</source>
        <translation>读取 Shadow DOM</translation>
    </message>
    <message>
        <source>The content of web components counts as part of the page.</source>
        <translation>Web 组件显示的内容算作页面的一部分。</translation>
    </message>
    <message>
        <source>Read frames</source>
        <translation>读取框架</translation>
    </message>
    <message>
        <source>The content of frames of the page&apos;s own site counts as part of the page.</source>
        <translation>页面自身网站的框架中显示的内容算作页面的一部分。</translation>
    </message>
    <message>
        <source>Browser</source>
        <translation>浏览器</translation>
    </message>
    <message>
        <source>Path of a Chromium, Chrome or Edge; empty: the one of this computer.</source>
        <translation>Chromium、Chrome 或 Edge 的路径；留空则使用本机的浏览器。</translation>
    </message>
    <message>
        <source>Rendering</source>
        <translation>渲染</translation>
    </message>
    <message>
        <source>{setting} is not the path of a program.</source>
        <translation>{setting}不是程序的路径。</translation>
    </message>
    <message>
        <source>{setting} must be a width and a height between {low:,} and {high:,}, such as 1280x800.</source>
        <translation>{setting}必须是介于 {low:,} 和 {high:,} 之间的宽度和高度，例如 1280x800。</translation>
    </message>
    <message>
        <source>There is no browser {path}. Name the program of a Chromium, Chrome or Edge, or nothing to use the one of this computer.</source>
        <translation>找不到浏览器 {path}。请指定 Chromium、Chrome 或 Edge 的程序，或留空以使用本机的浏览器。</translation>
    </message>
    <message>
        <source>The browser {path} does not start: {reason}.</source>
        <translation>浏览器 {path} 无法启动：{reason}。</translation>
    </message>
    <message>
        <source>Unique JS inlinks</source>
        <translation>唯一 JS 入链</translation>
    </message>
    <message>
        <source>Pages that link here with links that are not in their HTML</source>
        <translation>用其 HTML 中没有的链接指向此处的页面</translation>
    </message>
    <message>
        <source>Unique JS outlinks</source>
        <translation>去重 JS 出链</translation>
    </message>
    <message>
        <source>Internal URLs that it links to with links that are not in its HTML</source>
        <translation>用其 HTML 中没有的链接指向的内部网址</translation>
    </message>
    <message>
        <source>Unique external JS outlinks</source>
        <translation>去重外部 JS 出链</translation>
    </message>
    <message>
        <source>External URLs that it links to with links that are not in its HTML</source>
        <translation>用其 HTML 中没有的链接指向的外部网址</translation>
    </message>
    <message>
        <source>Rendered</source>
        <translation>已渲染</translation>
    </message>
    <message>
        <source>Crashed</source>
        <translation>已崩溃</translation>
    </message>
    <message>
        <source>No browser</source>
        <translation>没有浏览器</translation>
    </message>
    <message>
        <source>Not needed</source>
        <translation>无需渲染</translation>
    </message>
    <message>
        <source>How the rendering of the page ended</source>
        <translation>页面渲染的结果</translation>
    </message>
    <message>
        <source>HTML word count</source>
        <translation>HTML 字数</translation>
    </message>
    <message>
        <source>Rendered HTML word count</source>
        <translation>渲染后 HTML 字数</translation>
    </message>
    <message>
        <source>Word count change</source>
        <translation>字数变化</translation>
    </message>
    <message>
        <source>Words that scripts add; less than 0 where they remove some</source>
        <translation>脚本增加的字数；脚本减少字数时小于 0</translation>
    </message>
    <message>
        <source>JS word count %</source>
        <translation>JS 字数 %</translation>
    </message>
    <message>
        <source>Share of the rendered words that scripts add</source>
        <translation>脚本增加的字数占渲染后字数的比例</translation>
    </message>
    <message>
        <source>HTML canonical</source>
        <translation>HTML 规范网址</translation>
    </message>
    <message>
        <source>Rendered HTML canonical</source>
        <translation>渲染后 HTML 规范网址</translation>
    </message>
    <message>
        <source>HTML meta robots 1</source>
        <translation>HTML Robots 元标签 1</translation>
    </message>
    <message>
        <source>Rendered HTML meta robots 1</source>
        <translation>渲染后 HTML Robots 元标签 1</translation>
    </message>
    <message>
        <source>Rendered address</source>
        <translation>渲染后网址</translation>
    </message>
    <message>
        <source>The address as scripts have left it, if that is another</source>
        <translation>脚本运行后的网址（如与原来不同）</translation>
    </message>
    <message>
        <source>Title in the HTML</source>
        <translation>HTML 中的标题</translation>
    </message>
    <message>
        <source>H1 in the HTML</source>
        <translation>HTML 中的 H1</translation>
    </message>
    <message>
        <source>Meta description in the HTML</source>
        <translation>HTML 中的元描述</translation>
    </message>
    <message>
        <source>Canonical in the HTML</source>
        <translation>HTML 中的规范网址</translation>
    </message>
    <message>
        <source>Meta robots in the HTML</source>
        <translation>HTML 中的 Robots 元标签</translation>
    </message>
    <message>
        <source>Words in the HTML</source>
        <translation>HTML 中的字数</translation>
    </message>
    <message>
        <source>JavaScript links</source>
        <translation>JavaScript 链接</translation>
    </message>
    <message>
        <source>Hyperlinks that are not in the HTML</source>
        <translation>HTML 中没有的超链接</translation>
    </message>
    <message>
        <source>What the page loads, and what its scripts request</source>
        <translation>页面加载的内容，以及脚本请求的内容</translation>
    </message>
    <message>
        <source>Blocked requests</source>
        <translation>被阻止的请求</translation>
    </message>
    <message>
        <source>Not made, mostly because robots.txt or the settings forbid it</source>
        <translation>未发出的请求，多因 robots.txt 或设置禁止</translation>
    </message>
    <message>
        <source>Failed requests</source>
        <translation>失败的请求</translation>
    </message>
    <message>
        <source>Without a response, or with an error</source>
        <translation>没有响应，或返回错误</translation>
    </message>
    <message>
        <source>Console errors</source>
        <translation>控制台错误</translation>
    </message>
    <message>
        <source>Console warnings</source>
        <translation>控制台警告</translation>
    </message>
    <message>
        <source>Dialogs</source>
        <translation>对话框</translation>
    </message>
    <message>
        <source>Alerts and questions that scripts show, closed at once</source>
        <translation>脚本弹出的提示和询问，会立即关闭</translation>
    </message>
    <message>
        <source>Load time</source>
        <translation>加载时间</translation>
    </message>
    <message>
        <source>Until the browser had loaded the page, in a crawl that has many at once</source>
        <translation>浏览器加载完页面所用的时间；抓取时有多个页面同时加载</translation>
    </message>
    <message>
        <source>Rendering time</source>
        <translation>渲染时间</translation>
    </message>
    <message>
        <source>Until its scripts had run, too</source>
        <translation>直到脚本也运行完毕</translation>
    </message>
    <message>
        <source>Pages with blocked resources</source>
        <translation>有资源被阻止的页面</translation>
    </message>
    <message>
        <source>JavaScript console log</source>
        <translation>JavaScript 控制台日志</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>Rendered HTML</source>
        <translation>渲染后 HTML</translation>
    </message>
    <message>
        <source>HTML &amp; Rendered HTML</source>
        <translation>HTML 和渲染后 HTML</translation>
    </message>
    <message>
        <source>Link origin</source>
        <translation>链接来源</translation>
    </message>
    <message>
        <source>Rendered HTML: a script makes the link, the server did not send it</source>
        <translation>渲染后 HTML：链接由脚本生成，服务器并未发送</translation>
    </message>
    <message>
        <source>JavaScript Redirect</source>
        <translation>JavaScript 重定向</translation>
    </message>
    <message>
        <source>HTML title</source>
        <translation>HTML 标题</translation>
    </message>
    <message>
        <source>Rendered HTML title</source>
        <translation>渲染后 HTML 标题</translation>
    </message>
    <message>
        <source>HTML meta description</source>
        <translation>HTML 元描述</translation>
    </message>
    <message>
        <source>Rendered HTML meta description</source>
        <translation>渲染后 HTML 元描述</translation>
    </message>
    <message>
        <source>HTML H1</source>
        <translation>HTML H1</translation>
    </message>
    <message>
        <source>Rendered HTML H1</source>
        <translation>渲染后 HTML H1</translation>
    </message>
    <message>
        <source>All pages</source>
        <translation>全部页面</translation>
    </message>
    <message>
        <source>Needs scripts</source>
        <translation>需要脚本</translation>
    </message>
    <message>
        <source>Little text</source>
        <translation>文本很少</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>抽样</translation>
    </message>
    <message>
        <source>Site differs</source>
        <translation>站点有差异</translation>
    </message>
    <message>
        <source>Rendered because</source>
        <translation>渲染原因</translation>
    </message>
    <message>
        <source>Why the page was rendered, where only those are that need it</source>
        <translation>仅按需渲染时，渲染该页面的原因</translation>
    </message>
    <message>
        <source>The process of the login window exited; try again.</source>
        <translation>登录窗口的进程已退出；请重试。</translation>
    </message>
    <message>
        <source>Logging in needs a screen, and this terminal has none (neither DISPLAY nor WAYLAND_DISPLAY is set); log in on a desktop, or use --cookie, --header or --auth.</source>
        <translation>登录需要屏幕，而此终端没有（DISPLAY 和 WAYLAND_DISPLAY 均未设置）；请在桌面环境中登录，或使用 --cookie、--header 或 --auth。</translation>
    </message>
    <message>
        <source>Logging in needs a browser with a window; install Chromium, Chrome or Edge and try again.</source>
        <translation>登录需要带窗口的浏览器；请安装 Chromium、Chrome 或 Edge 后重试。</translation>
    </message>
    <message>
        <source>The browser does not open a window: {reason}.</source>
        <translation>浏览器无法打开窗口：{reason}。</translation>
    </message>
    <message>
        <source>the login</source>
        <translation>登录状态</translation>
    </message>
    <message>
        <source>Render this page</source>
        <translation>渲染此页面</translation>
    </message>
    <message>
        <source>Package {package} (BSD licence).</source>
        <translation>软件包 {package}（BSD 许可证）。</translation>
    </message>
    <message>
        <source>Package {package}: {download} MB to download, {installed} MB on disk (BSD licence).</source>
        <translation>软件包 {package}：下载 {download} MB，占用磁盘 {installed} MB（BSD 许可证）。</translation>
    </message>
    <message>
        <source>Follow links that sign out or delete</source>
        <translation>跟踪会退出登录或删除内容的链接</translation>
    </message>
    <message>
        <source>Without a login, they are always followed.</source>
        <translation>未登录时始终跟踪。</translation>
    </message>
    <message>
        <source>Follow sign-out</source>
        <translation>跟踪退出登录链接</translation>
    </message>
    <message>
        <source>Not followed with a login: it looks like it signs out or deletes something.</source>
        <translation>已登录时不跟踪：看起来会退出登录或删除内容。</translation>
    </message>
    <message>
        <source>Check accessibility</source>
        <translation>检查无障碍</translation>
    </message>
    <message>
        <source>Checks rendered pages with axe-core: about 0.3 s more per page.</source>
        <translation>用 axe-core 检查渲染后的页面：每页约多 0.3 秒。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>WCAG A</source>
        <translation>WCAG A</translation>
    </message>
    <message>
        <source>WCAG A and AA</source>
        <translation>WCAG A 和 AA</translation>
    </message>
    <message>
        <source>WCAG A, AA and AAA</source>
        <translation>WCAG A、AA 和 AAA</translation>
    </message>
    <message>
        <source>WCAG A and AA, best practices</source>
        <translation>WCAG A 和 AA、最佳实践</translation>
    </message>
    <message>
        <source>All rules</source>
        <translation>全部规则</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>{path} in the archive is not a regular file but a link, a pipe or the like; put the file itself there, or delete it.</source>
        <translation>归档中的 {path} 不是普通文件，而是链接、管道之类；请将文件本身放在那里，或将其删除。</translation>
    </message>
    <message>
        <source>{path} is compressed partly record by record and partly as a whole, so no record in it can be found again; unpack it first: gunzip {path}</source>
        <translation>{path} 有的部分是逐条记录压缩的，有的部分是整体压缩的，因此无法再次找到其中的记录；请先解压：gunzip {path}</translation>
    </message>
    <message>
        <source>{path} is compressed partly record by record and partly as a whole, so no record in it can be found again; unpack it first: zstd -d {path}</source>
        <translation>{path} 有的部分是逐条记录压缩的，有的部分是整体压缩的，因此无法再次找到其中的记录；请先解压：zstd -d {path}</translation>
    </message>
    <message>
        <source>{name} of the archive is on the node {node}; copy it from {there} to {here}, or create an empty file of that name there to continue without its contents.</source>
        <translation>存档中的 {name} 位于节点 {node} 上；请把它从 {there} 复制到 {here}，或在那里创建一个同名的空文件，不使用其内容继续。</translation>
    </message>
    <message>
        <source>First Node</source>
        <translation>第一个节点</translation>
    </message>
    <message>
        <source>Elements Must Only Use Supported ARIA Attributes</source>
        <translation>元素只能使用其支持的 ARIA 属性</translation>
    </message>
    <message>
        <source>An element has an ARIA attribute that its role does not support.</source>
        <translation>元素带有其角色不支持的 ARIA 属性。</translation>
    </message>
    <message>
        <source>Remove the attribute, or give the element a role that supports it.</source>
        <translation>删除该属性，或改用支持它的角色。</translation>
    </message>
    <message>
        <source>ARIA Role Should Be Appropriate for the Element</source>
        <translation>ARIA 角色应当适合元素</translation>
    </message>
    <message>
        <source>An element has a role that HTML does not allow for it.</source>
        <translation>元素的角色是 HTML 不允许的。</translation>
    </message>
    <message>
        <source>Remove the role, or use an element that may have it.</source>
        <translation>删除该角色，或使用允许该角色的元素。</translation>
    </message>
    <message>
        <source>Braille Attributes Must Have a Non-Braille Equivalent</source>
        <translation>盲文属性必须有对应的非盲文属性</translation>
    </message>
    <message>
        <source>An element has a label or role description for Braille displays alone.</source>
        <translation>元素只有供盲文显示器使用的标签或角色说明。</translation>
    </message>
    <message>
        <source>Add an aria-label or aria-roledescription that says the same.</source>
        <translation>添加含义相同的 aria-label 或 aria-roledescription。</translation>
    </message>
    <message>
        <source>ARIA Commands Must Have an Accessible Name</source>
        <translation>ARIA 命令必须有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role button, link or menuitem has no name.</source>
        <translation>角色为 button、link 或 menuitem 的元素没有名称。</translation>
    </message>
    <message>
        <source>Give it a text, or name it with aria-label or aria-labelledby.</source>
        <translation>为其添加文字，或用 aria-label、aria-labelledby 命名。</translation>
    </message>
    <message>
        <source>ARIA Attributes Must Be Used as Specified for the Role</source>
        <translation>ARIA 属性必须按角色的规定使用</translation>
    </message>
    <message>
        <source>An element has an ARIA attribute that its role allows in other cases only, such as aria-checked on a native checkbox.</source>
        <translation>元素带有的 ARIA 属性仅在其他情况下允许，例如原生复选框上的 aria-checked。</translation>
    </message>
    <message>
        <source>Remove the attribute; set the native state, such as checked, instead.</source>
        <translation>删除该属性，改用 checked 等原生状态。</translation>
    </message>
    <message>
        <source>Deprecated ARIA Roles Must Not Be Used</source>
        <translation>不得使用已弃用的 ARIA 角色</translation>
    </message>
    <message>
        <source>An element has a role that newer versions of ARIA no longer recommend.</source>
        <translation>元素的角色在新版 ARIA 中已不推荐使用。</translation>
    </message>
    <message>
        <source>Replace the role with the one that the ARIA specification recommends today.</source>
        <translation>换成 ARIA 规范目前推荐的角色。</translation>
    </message>
    <message>
        <source>ARIA Dialogs Should Have an Accessible Name</source>
        <translation>ARIA 对话框应当有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role dialog or alertdialog has no name.</source>
        <translation>角色为 dialog 或 alertdialog 的元素没有名称。</translation>
    </message>
    <message>
        <source>Refer to the dialog&apos;s heading with aria-labelledby, or add an aria-label.</source>
        <translation>用 aria-labelledby 指向对话框的标题，或添加 aria-label。</translation>
    </message>
    <message>
        <source>aria-hidden=&quot;true&quot; Must Not Be Present on the &lt;body&gt;</source>
        <translation>&lt;body&gt; 上不得有 aria-hidden=&quot;true&quot;</translation>
    </message>
    <message>
        <source>The &lt;body&gt; element has aria-hidden=&quot;true&quot;, which hides the whole page from screen readers.</source>
        <translation>&lt;body&gt; 元素带有 aria-hidden=&quot;true&quot;，整个页面对屏幕阅读器都被隐藏。</translation>
    </message>
    <message>
        <source>Remove aria-hidden from &lt;body&gt;, also in the script that sets it for dialogs.</source>
        <translation>从 &lt;body&gt; 上删除 aria-hidden，包括为对话框设置它的脚本。</translation>
    </message>
    <message>
        <source>ARIA Hidden Elements Must Not Be Focusable</source>
        <translation>ARIA 隐藏的元素不得获得焦点</translation>
    </message>
    <message>
        <source>Something that can be focused is inside an element with aria-hidden=&quot;true&quot;.</source>
        <translation>带有 aria-hidden=&quot;true&quot; 的元素内有可获得焦点的内容。</translation>
    </message>
    <message>
        <source>Take hidden elements out of the tab order with tabindex=&quot;-1&quot;, disabled or inert, or show them to all.</source>
        <translation>用 tabindex=&quot;-1&quot;、disabled 或 inert 将隐藏元素移出 Tab 顺序，或对所有人显示。</translation>
    </message>
    <message>
        <source>ARIA Input Fields Must Have an Accessible Name</source>
        <translation>ARIA 输入框必须有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role of an input field, such as combobox, listbox or textbox, has no name.</source>
        <translation>角色为 combobox、listbox、textbox 等输入框的元素没有名称。</translation>
    </message>
    <message>
        <source>Name it with aria-label, or refer to its visible label with aria-labelledby.</source>
        <translation>用 aria-label 命名，或用 aria-labelledby 指向可见标签。</translation>
    </message>
    <message>
        <source>ARIA Meters Must Have an Accessible Name</source>
        <translation>ARIA 计量器必须有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role meter has no name.</source>
        <translation>角色为 meter 的元素没有名称。</translation>
    </message>
    <message>
        <source>Say in an aria-label what is measured.</source>
        <translation>用 aria-label 说明测量的是什么。</translation>
    </message>
    <message>
        <source>ARIA Progress Bars Must Have an Accessible Name</source>
        <translation>ARIA 进度条必须有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role progressbar has no name.</source>
        <translation>角色为 progressbar 的元素没有名称。</translation>
    </message>
    <message>
        <source>Say in an aria-label what is in progress.</source>
        <translation>用 aria-label 说明正在进行什么。</translation>
    </message>
    <message>
        <source>Elements Must Only Use Permitted ARIA Attributes</source>
        <translation>元素只能使用允许的 ARIA 属性</translation>
    </message>
    <message>
        <source>An element has an ARIA attribute that is prohibited for its role, such as aria-label on a plain &lt;div&gt; or &lt;span&gt;.</source>
        <translation>元素带有其角色禁止的 ARIA 属性，例如普通 &lt;div&gt; 或 &lt;span&gt; 上的 aria-label。</translation>
    </message>
    <message>
        <source>Remove the attribute, or give the element a role that may have a name.</source>
        <translation>删除该属性，或为元素设置可以有名称的角色。</translation>
    </message>
    <message>
        <source>Required ARIA Attributes Must Be Provided</source>
        <translation>必须提供必需的 ARIA 属性</translation>
    </message>
    <message>
        <source>An element lacks an attribute that its role requires, such as aria-checked for a checkbox.</source>
        <translation>元素缺少其角色必需的属性，例如复选框的 aria-checked。</translation>
    </message>
    <message>
        <source>Add the required attribute and keep it up to date by script.</source>
        <translation>添加必需的属性，并用脚本保持更新。</translation>
    </message>
    <message>
        <source>Certain ARIA Roles Must Contain Particular Children</source>
        <translation>某些 ARIA 角色必须包含特定子元素</translation>
    </message>
    <message>
        <source>An element&apos;s role requires children with certain roles, such as option in a listbox, and it has none or others.</source>
        <translation>元素的角色要求子元素具有特定角色，例如 listbox 中的 option，但子元素没有或不符。</translation>
    </message>
    <message>
        <source>Give the children the required roles, or use native elements such as &lt;select&gt;.</source>
        <translation>为子元素设置所需角色，或使用 &lt;select&gt; 等原生元素。</translation>
    </message>
    <message>
        <source>Certain ARIA Roles Must Be Contained by Particular Parents</source>
        <translation>某些 ARIA 角色必须位于特定父元素中</translation>
    </message>
    <message>
        <source>An element&apos;s role, such as tab or option, requires a parent with a certain role, which is missing.</source>
        <translation>元素的角色（如 tab 或 option）要求特定角色的父元素，但没有。</translation>
    </message>
    <message>
        <source>Put the element into a parent with the required role, such as tablist.</source>
        <translation>将元素放入具有所需角色（如 tablist）的父元素中。</translation>
    </message>
    <message>
        <source>ARIA Roles Must Be Valid</source>
        <translation>ARIA 角色必须有效</translation>
    </message>
    <message>
        <source>An element has a role that does not exist, or one that must not be used in pages.</source>
        <translation>元素的角色不存在，或不得在页面中使用。</translation>
    </message>
    <message>
        <source>Correct the value of the role attribute, or remove it.</source>
        <translation>更正 role 属性的值，或将其删除。</translation>
    </message>
    <message>
        <source>ARIA Tabs Must Have an Accessible Name</source>
        <translation>ARIA 标签页必须有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role tab has no name.</source>
        <translation>角色为 tab 的元素没有名称。</translation>
    </message>
    <message>
        <source>Give the tab a text, or name it with aria-label.</source>
        <translation>为标签页添加文字，或用 aria-label 命名。</translation>
    </message>
    <message>
        <source>role=&quot;text&quot; Should Have No Focusable Descendants</source>
        <translation>role=&quot;text&quot; 不应含有可获得焦点的后代</translation>
    </message>
    <message>
        <source>An element with role=&quot;text&quot; contains a link, button or field.</source>
        <translation>带有 role=&quot;text&quot; 的元素包含链接、按钮或输入框。</translation>
    </message>
    <message>
        <source>Remove role=&quot;text&quot;, or move what can be focused out of the element.</source>
        <translation>删除 role=&quot;text&quot;，或将可获得焦点的内容移出该元素。</translation>
    </message>
    <message>
        <source>ARIA Toggle Fields Must Have an Accessible Name</source>
        <translation>ARIA 切换控件必须有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role checkbox, radio, switch or menuitemcheckbox has no name.</source>
        <translation>角色为 checkbox、radio、switch 或 menuitemcheckbox 的元素没有名称。</translation>
    </message>
    <message>
        <source>ARIA Tooltips Must Have an Accessible Name</source>
        <translation>ARIA 工具提示必须有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role tooltip has no name.</source>
        <translation>角色为 tooltip 的元素没有名称。</translation>
    </message>
    <message>
        <source>Put the text of the tooltip into the element, or name it with aria-label.</source>
        <translation>将提示文字放入该元素，或用 aria-label 命名。</translation>
    </message>
    <message>
        <source>ARIA Tree Items Should Have an Accessible Name</source>
        <translation>ARIA 树项应当有可访问名称</translation>
    </message>
    <message>
        <source>An element with the role treeitem has no name.</source>
        <translation>角色为 treeitem 的元素没有名称。</translation>
    </message>
    <message>
        <source>Give the item a text, or name it with aria-label.</source>
        <translation>为该项添加文字，或用 aria-label 命名。</translation>
    </message>
    <message>
        <source>ARIA Attributes Must Have Valid Values</source>
        <translation>ARIA 属性的值必须有效</translation>
    </message>
    <message>
        <source>An ARIA attribute has a value that it cannot have, or names an id that is not in the page.</source>
        <translation>ARIA 属性的值不被允许，或引用了页面中不存在的 id。</translation>
    </message>
    <message>
        <source>Correct the value; check that each id that is referred to exists.</source>
        <translation>更正该值；确认引用的每个 id 都存在。</translation>
    </message>
    <message>
        <source>ARIA Attributes Must Have Valid Names</source>
        <translation>ARIA 属性名必须有效</translation>
    </message>
    <message>
        <source>An element has an attribute that begins with aria- and does not exist.</source>
        <translation>元素带有以 aria- 开头但不存在的属性。</translation>
    </message>
    <message>
        <source>Correct the spelling of the attribute, or remove it.</source>
        <translation>更正属性的拼写，或将其删除。</translation>
    </message>
    <message>
        <source>accesskey Values Should Be Unique</source>
        <translation>accesskey 的值应当唯一</translation>
    </message>
    <message>
        <source>Several elements have the same accesskey.</source>
        <translation>多个元素使用相同的 accesskey。</translation>
    </message>
    <message>
        <source>Give each accesskey attribute a value of its own, or remove the attribute.</source>
        <translation>为每个 accesskey 属性设置不同的值，或删除该属性。</translation>
    </message>
    <message>
        <source>Active &lt;area&gt; Elements Must Have Alternative Text</source>
        <translation>可点击的 &lt;area&gt; 元素必须有替代文本</translation>
    </message>
    <message>
        <source>An area of an image map that is a link has no text alternative.</source>
        <translation>图像映射中作为链接的区域没有替代文本。</translation>
    </message>
    <message>
        <source>Name the target in the alt attribute of each &lt;area&gt;.</source>
        <translation>在每个 &lt;area&gt; 的 alt 属性中写明目标。</translation>
    </message>
    <message>
        <source>autocomplete Attribute Must Be Used Correctly</source>
        <translation>autocomplete 属性必须正确使用</translation>
    </message>
    <message>
        <source>A form field has an autocomplete value that does not exist, or does not fit the field.</source>
        <translation>表单字段的 autocomplete 值不存在，或不适合该字段。</translation>
    </message>
    <message>
        <source>Use the values of the HTML Standard, such as email, tel or street-address.</source>
        <translation>使用 HTML 标准中的值，例如 email、tel 或 street-address。</translation>
    </message>
    <message>
        <source>Inline Text Spacing Must Be Adjustable</source>
        <translation>行内文字间距必须可以调整</translation>
    </message>
    <message>
        <source>A style attribute fixes the spacing of letters, words or lines with !important.</source>
        <translation>style 属性用 !important 固定了字母、单词或行的间距。</translation>
    </message>
    <message>
        <source>Remove !important, or set the spacing in a style sheet.</source>
        <translation>删除 !important，或在样式表中设置间距。</translation>
    </message>
    <message>
        <source>&lt;blink&gt; Elements Must Not Be Used</source>
        <translation>不得使用 &lt;blink&gt; 元素</translation>
    </message>
    <message>
        <source>The page has &lt;blink&gt; elements.</source>
        <translation>页面包含 &lt;blink&gt; 元素。</translation>
    </message>
    <message>
        <source>Replace them with text that does not move.</source>
        <translation>换成不会闪动的文字。</translation>
    </message>
    <message>
        <source>Elements Must Meet Enhanced Color Contrast Ratio</source>
        <translation>元素必须达到增强的颜色对比度</translation>
    </message>
    <message>
        <source>The contrast between a text and its background is less than 7:1, or 4.5:1 for large text.</source>
        <translation>文字与背景的对比度低于 7:1（大号文字为 4.5:1）。</translation>
    </message>
    <message>
        <source>Choose a darker text or a lighter background, or the reverse.</source>
        <translation>选用更深的文字或更浅的背景，或者相反。</translation>
    </message>
    <message>
        <source>Elements Must Meet Minimum Color Contrast Ratio</source>
        <translation>元素必须达到最低颜色对比度</translation>
    </message>
    <message>
        <source>The contrast between a text and its background is less than 4.5:1, or 3:1 for large text.</source>
        <translation>文字与背景的对比度低于 4.5:1（大号文字为 3:1）。</translation>
    </message>
    <message>
        <source>IDs Used in ARIA and Labels Must Be Unique</source>
        <translation>ARIA 和标签引用的 ID 必须唯一</translation>
    </message>
    <message>
        <source>An id that a label or an ARIA attribute refers to is there more than once.</source>
        <translation>标签或 ARIA 属性引用的 id 出现多次。</translation>
    </message>
    <message>
        <source>Give each of these elements an id of its own.</source>
        <translation>为这些元素分别设置不同的 id。</translation>
    </message>
    <message>
        <source>Form Fields Must Not Have Multiple Labels</source>
        <translation>表单字段不得有多个标签</translation>
    </message>
    <message>
        <source>A form field has several &lt;label&gt; elements, of which some screen readers read one alone.</source>
        <translation>表单字段有多个 &lt;label&gt; 元素，有的屏幕阅读器只读其中一个。</translation>
    </message>
    <message>
        <source>Join the labels to one, and refer to hints with aria-describedby.</source>
        <translation>合并为一个标签，提示用 aria-describedby 引用。</translation>
    </message>
    <message>
        <source>Links With the Same Name Must Have a Similar Purpose</source>
        <translation>名称相同的链接必须用途相近</translation>
    </message>
    <message>
        <source>Links with the same text lead to different pages.</source>
        <translation>文字相同的链接指向不同的页面。</translation>
    </message>
    <message>
        <source>Give each link a text that distinguishes its target from the others.</source>
        <translation>为每个链接设置能区分目标的文字。</translation>
    </message>
    <message>
        <source>Alternative Text Should Not Be Repeated as Text</source>
        <translation>替代文本不应与旁边的文字重复</translation>
    </message>
    <message>
        <source>An image in a link or button has the same alternative text as the text beside it.</source>
        <translation>链接或按钮中图像的替代文本与旁边的文字相同。</translation>
    </message>
    <message>
        <source>Leave the alt attribute of the image empty: alt=&quot;&quot;.</source>
        <translation>将图像的 alt 属性留空：alt=&quot;&quot;。</translation>
    </message>
    <message>
        <source>Input Buttons Must Have Discernible Text</source>
        <translation>输入按钮必须有可辨识的文字</translation>
    </message>
    <message>
        <source>An &lt;input&gt; of the type button, submit or reset has no text.</source>
        <translation>类型为 button、submit 或 reset 的 &lt;input&gt; 没有文字。</translation>
    </message>
    <message>
        <source>Put the text into its value attribute.</source>
        <translation>将文字写入其 value 属性。</translation>
    </message>
    <message>
        <source>Image Buttons Must Have Alternative Text</source>
        <translation>图像按钮必须有替代文本</translation>
    </message>
    <message>
        <source>An &lt;input type=&quot;image&quot;&gt; has no text alternative.</source>
        <translation>&lt;input type=&quot;image&quot;&gt; 没有替代文本。</translation>
    </message>
    <message>
        <source>Say in its alt attribute what the button does.</source>
        <translation>在其 alt 属性中说明按钮的作用。</translation>
    </message>
    <message>
        <source>Visible Text Must Be Part of the Accessible Name</source>
        <translation>可见文字必须是可访问名称的一部分</translation>
    </message>
    <message>
        <source>The visible text of a link, button or field is not part of the name that assistive technologies know.</source>
        <translation>链接、按钮或输入框的可见文字不在辅助技术所知的名称中。</translation>
    </message>
    <message>
        <source>Begin the aria-label with the visible text, or remove the aria-label.</source>
        <translation>让 aria-label 以可见文字开头，或删除 aria-label。</translation>
    </message>
    <message>
        <source>Form Elements Should Have a Visible Label</source>
        <translation>表单元素应当有可见标签</translation>
    </message>
    <message>
        <source>A form field is described by its title attribute or aria-describedby alone.</source>
        <translation>表单字段仅由 title 属性或 aria-describedby 说明。</translation>
    </message>
    <message>
        <source>Add a visible &lt;label&gt;.</source>
        <translation>添加可见的 &lt;label&gt;。</translation>
    </message>
    <message>
        <source>Links Must Be Distinguishable Without Relying on Color</source>
        <translation>不能只靠颜色区分链接</translation>
    </message>
    <message>
        <source>A link within a text differs from it by color alone, and not much.</source>
        <translation>文中的链接仅以颜色区分，而且差别不大。</translation>
    </message>
    <message>
        <source>Underline links in texts.</source>
        <translation>为文中的链接加下划线。</translation>
    </message>
    <message>
        <source>&lt;marquee&gt; Elements Must Not Be Used</source>
        <translation>不得使用 &lt;marquee&gt; 元素</translation>
    </message>
    <message>
        <source>The page has &lt;marquee&gt; elements.</source>
        <translation>页面包含 &lt;marquee&gt; 元素。</translation>
    </message>
    <message>
        <source>Interactive Controls Must Not Be Nested</source>
        <translation>交互控件不得嵌套</translation>
    </message>
    <message>
        <source>A link, button or other control contains another one.</source>
        <translation>链接、按钮或其他控件中包含另一个控件。</translation>
    </message>
    <message>
        <source>Put the controls beside each other.</source>
        <translation>将控件并列放置。</translation>
    </message>
    <message>
        <source>&lt;video&gt; or &lt;audio&gt; Elements Must Not Play Automatically</source>
        <translation>&lt;video&gt; 或 &lt;audio&gt; 元素不得自动播放</translation>
    </message>
    <message>
        <source>A sound of more than three seconds starts by itself, without a way to stop it.</source>
        <translation>超过三秒的声音自动播放，且无法停止。</translation>
    </message>
    <message>
        <source>Remove autoplay, add muted, or add controls.</source>
        <translation>删除 autoplay，添加 muted，或添加 controls。</translation>
    </message>
    <message>
        <source>&lt;object&gt; Elements Must Have Alternative Text</source>
        <translation>&lt;object&gt; 元素必须有替代文本</translation>
    </message>
    <message>
        <source>An &lt;object&gt; has no text alternative.</source>
        <translation>&lt;object&gt; 没有替代文本。</translation>
    </message>
    <message>
        <source>Put a text between its tags, or add an aria-label or title.</source>
        <translation>在其标签之间写入文字，或添加 aria-label 或 title。</translation>
    </message>
    <message>
        <source>Presentational Elements Should Be Consistently Ignored</source>
        <translation>装饰性元素应当始终被忽略</translation>
    </message>
    <message>
        <source>An element with role=&quot;none&quot;, role=&quot;presentation&quot; or an empty alt can be focused or has a global ARIA attribute, so it is not ignored.</source>
        <translation>带有 role=&quot;none&quot;、role=&quot;presentation&quot; 或空 alt 的元素可获得焦点或带有全局 ARIA 属性，因此不会被忽略。</translation>
    </message>
    <message>
        <source>Remove the role, or remove tabindex and ARIA attributes.</source>
        <translation>删除该角色，或删除 tabindex 和 ARIA 属性。</translation>
    </message>
    <message>
        <source>Elements With role=&quot;img&quot; Must Have Alternative Text</source>
        <translation>role=&quot;img&quot; 的元素必须有替代文本</translation>
    </message>
    <message>
        <source>An element with the role img or image has no text alternative.</source>
        <translation>角色为 img 或 image 的元素没有替代文本。</translation>
    </message>
    <message>
        <source>Describe it with aria-label or aria-labelledby.</source>
        <translation>用 aria-label 或 aria-labelledby 进行描述。</translation>
    </message>
    <message>
        <source>Scrollable Regions Must Have Keyboard Access</source>
        <translation>可滚动区域必须能用键盘访问</translation>
    </message>
    <message>
        <source>A region that scrolls cannot be focused, and contains nothing that can.</source>
        <translation>可滚动的区域无法获得焦点，其中也没有可获得焦点的内容。</translation>
    </message>
    <message>
        <source>Add tabindex=&quot;0&quot; to the region, with a role and a name.</source>
        <translation>为该区域添加 tabindex=&quot;0&quot;，以及角色和名称。</translation>
    </message>
    <message>
        <source>Select Elements Must Have an Accessible Name</source>
        <translation>下拉列表必须有可访问名称</translation>
    </message>
    <message>
        <source>A &lt;select&gt; has no label.</source>
        <translation>&lt;select&gt; 没有标签。</translation>
    </message>
    <message>
        <source>Associate a &lt;label&gt; with it, or add an aria-label.</source>
        <translation>为其关联 &lt;label&gt;，或添加 aria-label。</translation>
    </message>
    <message>
        <source>Server-Side Image Maps Must Not Be Used</source>
        <translation>不得使用服务器端图像映射</translation>
    </message>
    <message>
        <source>An image in a link has the attribute ismap: where it is clicked decides where it leads.</source>
        <translation>链接中的图像带有 ismap 属性：点击的位置决定目标。</translation>
    </message>
    <message>
        <source>Use links, or a client-side image map with &lt;area&gt; elements.</source>
        <translation>使用链接，或带 &lt;area&gt; 元素的客户端图像映射。</translation>
    </message>
    <message>
        <source>Summary Elements Must Have Discernible Text</source>
        <translation>&lt;summary&gt; 元素必须有可辨识的文字</translation>
    </message>
    <message>
        <source>A &lt;summary&gt; has no text.</source>
        <translation>&lt;summary&gt; 没有文字。</translation>
    </message>
    <message>
        <source>Say in the &lt;summary&gt; what the &lt;details&gt; hold.</source>
        <translation>在 &lt;summary&gt; 中说明 &lt;details&gt; 的内容。</translation>
    </message>
    <message>
        <source>&lt;svg&gt; Images Must Have Alternative Text</source>
        <translation>&lt;svg&gt; 图像必须有替代文本</translation>
    </message>
    <message>
        <source>An &lt;svg&gt; with the role img, graphics-document or graphics-symbol has no text alternative.</source>
        <translation>角色为 img、graphics-document 或 graphics-symbol 的 &lt;svg&gt; 没有替代文本。</translation>
    </message>
    <message>
        <source>Add a &lt;title&gt; as its first child, or an aria-label.</source>
        <translation>添加 &lt;title&gt; 作为其第一个子元素，或添加 aria-label。</translation>
    </message>
    <message>
        <source>Elements Should Not Have a tabindex Greater Than Zero</source>
        <translation>元素的 tabindex 不应大于 0</translation>
    </message>
    <message>
        <source>An element has a tabindex over 0, which puts it before all others.</source>
        <translation>元素的 tabindex 大于 0，因此排在所有其他元素之前。</translation>
    </message>
    <message>
        <source>Use tabindex=&quot;0&quot;, and put the elements into a sensible order.</source>
        <translation>使用 tabindex=&quot;0&quot;，并合理安排元素的顺序。</translation>
    </message>
    <message>
        <source>Touch Targets Must Be 24 Pixels Large or Have Enough Space</source>
        <translation>触摸目标必须达到 24 像素或留有足够间距</translation>
    </message>
    <message>
        <source>A link or button is smaller than 24 by 24 CSS pixels, and others are too close.</source>
        <translation>链接或按钮小于 24×24 CSS 像素，且与其他目标距离太近。</translation>
    </message>
    <message>
        <source>Enlarge the target with padding, or add space around it.</source>
        <translation>用内边距放大目标，或在周围留出间距。</translation>
    </message>
    <message>
        <source>&lt;video&gt; Elements Must Have Captions</source>
        <translation>&lt;video&gt; 元素必须有字幕</translation>
    </message>
    <message>
        <source>A &lt;video&gt; with sound has no captions track.</source>
        <translation>有声音的 &lt;video&gt; 没有字幕轨道。</translation>
    </message>
    <message>
        <source>Add a &lt;track kind=&quot;captions&quot;&gt;.</source>
        <translation>添加 &lt;track kind=&quot;captions&quot;&gt;。</translation>
    </message>
    <message>
        <source>Page Must Have Means to Bypass Repeated Blocks</source>
        <translation>页面必须能跳过重复的内容</translation>
    </message>
    <message>
        <source>The page has no heading, landmark or skip link that leads past menus and headers.</source>
        <translation>页面没有可绕过菜单和页眉的标题、地标或跳转链接。</translation>
    </message>
    <message>
        <source>Put the main content into &lt;main&gt;, or begin the page with a link to it.</source>
        <translation>将主要内容放入 &lt;main&gt;，或在页面开头提供指向它的链接。</translation>
    </message>
    <message>
        <source>&lt;dl&gt; Elements Must Only Contain &lt;dt&gt; and &lt;dd&gt; Groups</source>
        <translation>&lt;dl&gt; 元素只能包含 &lt;dt&gt; 和 &lt;dd&gt; 组</translation>
    </message>
    <message>
        <source>A &lt;dl&gt; directly contains something else than &lt;dt&gt;, &lt;dd&gt; and &lt;div&gt;, or has them in a wrong order.</source>
        <translation>&lt;dl&gt; 直接包含 &lt;dt&gt;、&lt;dd&gt; 和 &lt;div&gt; 以外的内容，或顺序不对。</translation>
    </message>
    <message>
        <source>Let each &lt;dt&gt; be followed by its &lt;dd&gt;, and move everything else out of the list.</source>
        <translation>让每个 &lt;dt&gt; 后跟其 &lt;dd&gt;，并将其他内容移出列表。</translation>
    </message>
    <message>
        <source>&lt;dt&gt; and &lt;dd&gt; Elements Must Be Contained by a &lt;dl&gt;</source>
        <translation>&lt;dt&gt; 和 &lt;dd&gt; 元素必须位于 &lt;dl&gt; 中</translation>
    </message>
    <message>
        <source>A &lt;dt&gt; or &lt;dd&gt; is not in a &lt;dl&gt;.</source>
        <translation>&lt;dt&gt; 或 &lt;dd&gt; 不在 &lt;dl&gt; 中。</translation>
    </message>
    <message>
        <source>Put terms and descriptions into a &lt;dl&gt;, or use other elements.</source>
        <translation>将术语和说明放入 &lt;dl&gt;，或使用其他元素。</translation>
    </message>
    <message>
        <source>Documents Must Have a &lt;title&gt; Element</source>
        <translation>文档必须有 &lt;title&gt; 元素</translation>
    </message>
    <message>
        <source>The page has no &lt;title&gt;, or an empty one.</source>
        <translation>页面没有 &lt;title&gt;，或其内容为空。</translation>
    </message>
    <message>
        <source>Describe the page in a few words in its &lt;title&gt;.</source>
        <translation>在 &lt;title&gt; 中用几个词描述页面。</translation>
    </message>
    <message>
        <source>Headings Should Not Be Empty</source>
        <translation>标题不应为空</translation>
    </message>
    <message>
        <source>A heading has no text that screen readers can read.</source>
        <translation>标题没有屏幕阅读器可读的文字。</translation>
    </message>
    <message>
        <source>Give the heading a text, or remove it.</source>
        <translation>为标题添加文字，或将其删除。</translation>
    </message>
    <message>
        <source>Table Headers Should Not Be Empty</source>
        <translation>表头不应为空</translation>
    </message>
    <message>
        <source>A header cell of a table has no text.</source>
        <translation>表格的表头单元格没有文字。</translation>
    </message>
    <message>
        <source>Give the &lt;th&gt; a text; use &lt;td&gt; for a corner cell that is empty on purpose.</source>
        <translation>为 &lt;th&gt; 添加文字；有意留空的角落单元格请用 &lt;td&gt;。</translation>
    </message>
    <message>
        <source>Frames With Focusable Content Must Not Have tabindex=&quot;-1&quot;</source>
        <translation>含可聚焦内容的框架不得有 tabindex=&quot;-1&quot;</translation>
    </message>
    <message>
        <source>A frame with tabindex=&quot;-1&quot; contains links, buttons or fields.</source>
        <translation>带有 tabindex=&quot;-1&quot; 的框架包含链接、按钮或输入框。</translation>
    </message>
    <message>
        <source>Remove tabindex from the frame.</source>
        <translation>从框架上删除 tabindex。</translation>
    </message>
    <message>
        <source>Frames Must Have a Unique Title</source>
        <translation>框架的标题必须唯一</translation>
    </message>
    <message>
        <source>Several frames of the page have the same title.</source>
        <translation>页面中多个框架使用相同的标题。</translation>
    </message>
    <message>
        <source>Give each frame a title that says what it holds.</source>
        <translation>为每个框架设置说明其内容的标题。</translation>
    </message>
    <message>
        <source>Frames Must Have an Accessible Name</source>
        <translation>框架必须有可访问名称</translation>
    </message>
    <message>
        <source>An &lt;iframe&gt; or &lt;frame&gt; has no title.</source>
        <translation>&lt;iframe&gt; 或 &lt;frame&gt; 没有标题。</translation>
    </message>
    <message>
        <source>Say in the title attribute what the frame holds.</source>
        <translation>在 title 属性中说明框架的内容。</translation>
    </message>
    <message>
        <source>&lt;html&gt; Element Must Have a Valid lang Attribute</source>
        <translation>&lt;html&gt; 元素的 lang 属性必须有效</translation>
    </message>
    <message>
        <source>The lang attribute of the &lt;html&gt; element is not a known language.</source>
        <translation>&lt;html&gt; 元素的 lang 属性不是已知的语言。</translation>
    </message>
    <message>
        <source>Use a code such as en, de or zh-CN.</source>
        <translation>使用 en、de 或 zh-CN 这样的代码。</translation>
    </message>
    <message>
        <source>lang and xml:lang Must Have the Same Base Language</source>
        <translation>lang 与 xml:lang 的基本语言必须相同</translation>
    </message>
    <message>
        <source>The &lt;html&gt; element names different languages in lang and xml:lang.</source>
        <translation>&lt;html&gt; 元素的 lang 与 xml:lang 是不同的语言。</translation>
    </message>
    <message>
        <source>Set both to the same language, or remove xml:lang.</source>
        <translation>将两者设为同一语言，或删除 xml:lang。</translation>
    </message>
    <message>
        <source>Banner Landmark Should Be at Top Level</source>
        <translation>横幅地标应当位于顶层</translation>
    </message>
    <message>
        <source>The page&apos;s header is inside another landmark.</source>
        <translation>页面的页眉位于其他地标之内。</translation>
    </message>
    <message>
        <source>Move the &lt;header&gt; or role=&quot;banner&quot; out of it, to the level of &lt;main&gt;.</source>
        <translation>将 &lt;header&gt; 或 role=&quot;banner&quot; 移出，与 &lt;main&gt; 同级。</translation>
    </message>
    <message>
        <source>Contentinfo Landmark Should Be at Top Level</source>
        <translation>页脚信息地标应当位于顶层</translation>
    </message>
    <message>
        <source>The page&apos;s footer is inside another landmark.</source>
        <translation>页面的页脚位于其他地标之内。</translation>
    </message>
    <message>
        <source>Move the &lt;footer&gt; or role=&quot;contentinfo&quot; out of it, to the level of &lt;main&gt;.</source>
        <translation>将 &lt;footer&gt; 或 role=&quot;contentinfo&quot; 移出，与 &lt;main&gt; 同级。</translation>
    </message>
    <message>
        <source>Main Landmark Should Be at Top Level</source>
        <translation>主要内容地标应当位于顶层</translation>
    </message>
    <message>
        <source>The main content is inside another landmark.</source>
        <translation>主要内容位于其他地标之内。</translation>
    </message>
    <message>
        <source>Move &lt;main&gt; out of it.</source>
        <translation>将 &lt;main&gt; 移出。</translation>
    </message>
    <message>
        <source>Document Should Not Have More Than One Banner Landmark</source>
        <translation>文档的横幅地标不应多于一个</translation>
    </message>
    <message>
        <source>The page has several headers of the whole page.</source>
        <translation>页面有多个整页页眉。</translation>
    </message>
    <message>
        <source>Keep one, and put the others into &lt;article&gt; or &lt;section&gt;.</source>
        <translation>保留一个，其余放入 &lt;article&gt; 或 &lt;section&gt;。</translation>
    </message>
    <message>
        <source>Document Should Not Have More Than One Contentinfo Landmark</source>
        <translation>文档的页脚信息地标不应多于一个</translation>
    </message>
    <message>
        <source>The page has several footers of the whole page.</source>
        <translation>页面有多个整页页脚。</translation>
    </message>
    <message>
        <source>Document Should Not Have More Than One Main Landmark</source>
        <translation>文档的主要内容地标不应多于一个</translation>
    </message>
    <message>
        <source>The page has several &lt;main&gt; elements that are visible at the same time.</source>
        <translation>页面同时有多个可见的 &lt;main&gt; 元素。</translation>
    </message>
    <message>
        <source>Keep one &lt;main&gt; for the content that makes this page different.</source>
        <translation>只为本页独有的内容保留一个 &lt;main&gt;。</translation>
    </message>
    <message>
        <source>Document Should Have One Main Landmark</source>
        <translation>文档应当有一个主要内容地标</translation>
    </message>
    <message>
        <source>The page has no &lt;main&gt; element and no role=&quot;main&quot;.</source>
        <translation>页面没有 &lt;main&gt; 元素，也没有 role=&quot;main&quot;。</translation>
    </message>
    <message>
        <source>Put the main content into &lt;main&gt;.</source>
        <translation>将主要内容放入 &lt;main&gt;。</translation>
    </message>
    <message>
        <source>Landmarks Should Be Unique</source>
        <translation>地标应当唯一</translation>
    </message>
    <message>
        <source>Several landmarks have the same role and the same name, such as two &lt;nav&gt; elements without labels.</source>
        <translation>多个地标的角色和名称都相同，例如两个没有标签的 &lt;nav&gt;。</translation>
    </message>
    <message>
        <source>Distinguish them with aria-label or aria-labelledby.</source>
        <translation>用 aria-label 或 aria-labelledby 加以区分。</translation>
    </message>
    <message>
        <source>&lt;ul&gt; and &lt;ol&gt; Must Only Contain &lt;li&gt; Elements</source>
        <translation>&lt;ul&gt; 和 &lt;ol&gt; 只能包含 &lt;li&gt; 元素</translation>
    </message>
    <message>
        <source>A &lt;ul&gt; or &lt;ol&gt; directly contains something else than &lt;li&gt;, &lt;script&gt; and &lt;template&gt;.</source>
        <translation>&lt;ul&gt; 或 &lt;ol&gt; 直接包含 &lt;li&gt;、&lt;script&gt; 和 &lt;template&gt; 以外的内容。</translation>
    </message>
    <message>
        <source>Put all content of the list into &lt;li&gt; elements.</source>
        <translation>将列表的全部内容放入 &lt;li&gt; 元素。</translation>
    </message>
    <message>
        <source>&lt;li&gt; Elements Must Be Contained in a &lt;ul&gt; or &lt;ol&gt;</source>
        <translation>&lt;li&gt; 元素必须位于 &lt;ul&gt; 或 &lt;ol&gt; 中</translation>
    </message>
    <message>
        <source>An &lt;li&gt; is not in a list, or in one whose role has been changed.</source>
        <translation>&lt;li&gt; 不在列表中，或所在列表的角色已被更改。</translation>
    </message>
    <message>
        <source>Put the items into a &lt;ul&gt; or &lt;ol&gt;.</source>
        <translation>将项目放入 &lt;ul&gt; 或 &lt;ol&gt;。</translation>
    </message>
    <message>
        <source>Delayed Refresh Must Not Be Used</source>
        <translation>不得使用延迟刷新</translation>
    </message>
    <message>
        <source>A &lt;meta http-equiv=&quot;refresh&quot;&gt; reloads or leaves the page after some time, however long.</source>
        <translation>&lt;meta http-equiv=&quot;refresh&quot;&gt; 在一段时间后刷新或离开页面，无论多久。</translation>
    </message>
    <message>
        <source>Remove it; let visitors reload by a button, or redirect on the server.</source>
        <translation>将其删除；让访问者用按钮刷新，或在服务器上重定向。</translation>
    </message>
    <message>
        <source>Delayed Refresh Under 20 Hours Must Not Be Used</source>
        <translation>不得使用 20 小时以内的延迟刷新</translation>
    </message>
    <message>
        <source>A &lt;meta http-equiv=&quot;refresh&quot;&gt; reloads or leaves the page after less than 20 hours.</source>
        <translation>&lt;meta http-equiv=&quot;refresh&quot;&gt; 在不到 20 小时后刷新或离开页面。</translation>
    </message>
    <message>
        <source>Users Should Be Able to Zoom the Text Up to 500%</source>
        <translation>用户应当能将文字放大到 500%</translation>
    </message>
    <message>
        <source>The viewport of the page limits zooming to less than 500%.</source>
        <translation>页面的视口将缩放限制在 500% 以下。</translation>
    </message>
    <message>
        <source>Remove maximum-scale and user-scalable from &lt;meta name=&quot;viewport&quot;&gt;.</source>
        <translation>从 &lt;meta name=&quot;viewport&quot;&gt; 中删除 maximum-scale 和 user-scalable。</translation>
    </message>
    <message>
        <source>Zooming and Scaling Must Not Be Disabled</source>
        <translation>不得禁用缩放</translation>
    </message>
    <message>
        <source>The viewport of the page prevents zooming, or limits it to less than 200%.</source>
        <translation>页面的视口禁止缩放，或将其限制在 200% 以下。</translation>
    </message>
    <message>
        <source>Remove maximum-scale and user-scalable=no from &lt;meta name=&quot;viewport&quot;&gt;.</source>
        <translation>从 &lt;meta name=&quot;viewport&quot;&gt; 中删除 maximum-scale 和 user-scalable=no。</translation>
    </message>
    <message>
        <source>Page Should Contain a Level-One Heading</source>
        <translation>页面应当有一级标题</translation>
    </message>
    <message>
        <source>The page has no visible &lt;h1&gt;, and no heading with aria-level=&quot;1&quot;.</source>
        <translation>页面没有可见的 &lt;h1&gt;，也没有 aria-level=&quot;1&quot; 的标题。</translation>
    </message>
    <message>
        <source>Begin the main content with an &lt;h1&gt;.</source>
        <translation>以 &lt;h1&gt; 作为主要内容的开头。</translation>
    </message>
    <message>
        <source>All Page Content Should Be Contained by Landmarks</source>
        <translation>页面的所有内容都应位于地标中</translation>
    </message>
    <message>
        <source>Part of the page is in no landmark, such as &lt;header&gt;, &lt;nav&gt;, &lt;main&gt; or &lt;footer&gt;.</source>
        <translation>页面的一部分不在 &lt;header&gt;、&lt;nav&gt;、&lt;main&gt;、&lt;footer&gt; 等地标中。</translation>
    </message>
    <message>
        <source>Put all visible content into landmarks.</source>
        <translation>将所有可见内容放入地标。</translation>
    </message>
    <message>
        <source>scope Attribute Should Be Used Correctly</source>
        <translation>scope 属性应当正确使用</translation>
    </message>
    <message>
        <source>A scope attribute is on something else than a &lt;th&gt;, or has a value that does not exist.</source>
        <translation>scope 属性不在 &lt;th&gt; 上，或其值不存在。</translation>
    </message>
    <message>
        <source>Use scope on &lt;th&gt; alone, with row, col, rowgroup or colgroup.</source>
        <translation>仅在 &lt;th&gt; 上使用 scope，值为 row、col、rowgroup 或 colgroup。</translation>
    </message>
    <message>
        <source>Skip Link Target Should Exist and Be Focusable</source>
        <translation>跳转链接的目标应当存在且可获得焦点</translation>
    </message>
    <message>
        <source>The link to the main content leads to an id that is not in the page, or is hidden.</source>
        <translation>指向主要内容的链接引用了页面中不存在或被隐藏的 id。</translation>
    </message>
    <message>
        <source>Correct the id, or make its target visible.</source>
        <translation>更正 id，或使其目标可见。</translation>
    </message>
    <message>
        <source>Tables Should Not Have the Same Summary and Caption</source>
        <translation>表格的 summary 与标题不应相同</translation>
    </message>
    <message>
        <source>The caption and the summary attribute of a table say the same.</source>
        <translation>表格的标题与 summary 属性内容相同。</translation>
    </message>
    <message>
        <source>Remove the summary, or let it say what the caption does not.</source>
        <translation>删除 summary，或让它说明标题未说明的内容。</translation>
    </message>
    <message>
        <source>headers Attributes Must Refer to Cells of the Same Table</source>
        <translation>headers 属性必须引用同一表格的单元格</translation>
    </message>
    <message>
        <source>The headers attribute of a cell names ids that are not header cells of its table.</source>
        <translation>单元格的 headers 属性引用的 id 不是其所在表格的表头单元格。</translation>
    </message>
    <message>
        <source>Correct the ids, or use scope on the header cells instead.</source>
        <translation>更正 id，或改在表头单元格上使用 scope。</translation>
    </message>
    <message>
        <source>Table Headers Must Refer to Data Cells</source>
        <translation>表头必须对应数据单元格</translation>
    </message>
    <message>
        <source>A header cell of a table belongs to no data cell.</source>
        <translation>表格的某个表头单元格没有对应的数据单元格。</translation>
    </message>
    <message>
        <source>Use &lt;td&gt; for cells that are not headers, or complete the table.</source>
        <translation>非表头的单元格使用 &lt;td&gt;，或补全表格。</translation>
    </message>
    <message>
        <source>lang Attributes Must Have a Valid Value</source>
        <translation>lang 属性的值必须有效</translation>
    </message>
    <message>
        <source>The lang attribute of an element inside the page is not a known language.</source>
        <translation>页面内某元素的 lang 属性不是已知的语言。</translation>
    </message>
    <message>
        <source>Screen readers announce a list and the number of its items only if its markup is complete.</source>
        <translation>只有标记完整，屏幕阅读器才会读出列表及其项目数。</translation>
    </message>
    <message>
        <source>Screen readers read out the headers of each cell; without the right ones, a table cannot be followed.</source>
        <translation>屏幕阅读器会读出每个单元格的表头；表头不正确，表格就无法理解。</translation>
    </message>
    <message>
        <source>Visitors who do not see colors well do not notice that there is a link.</source>
        <translation>不易分辨颜色的访问者不会注意到那里有链接。</translation>
    </message>
    <message>
        <source>Visitors with a keyboard lose track of where they are, and screen readers say nothing or the wrong thing.</source>
        <translation>使用键盘的访问者不知道自己在哪里，屏幕阅读器则不出声或读错。</translation>
    </message>
    <message>
        <source>Visitors with low vision, or with sunlight on the screen, cannot read the text.</source>
        <translation>视力较弱的访问者，或屏幕受阳光照射时，无法看清文字。</translation>
    </message>
    <message>
        <source>What moves by itself distracts from the rest, and slow readers cannot finish it.</source>
        <translation>自行移动的内容会分散注意力，阅读较慢的人也读不完。</translation>
    </message>
    <message>
        <source>Screen readers cannot describe the image; some read out the name of its file instead.</source>
        <translation>屏幕阅读器无法描述该图像，有的只会读出文件名。</translation>
    </message>
    <message>
        <source>Visitors who cannot hear the sound, or may not switch it on, miss what is said.</source>
        <translation>听不到声音或不便打开声音的访问者会错过所说的内容。</translation>
    </message>
    <message>
        <source>Visitors who use a keyboard, a switch or their voice instead of a mouse cannot reach or operate it.</source>
        <translation>不用鼠标、而用键盘、开关或语音操作的访问者无法到达或操作它。</translation>
    </message>
    <message>
        <source>Visitors with screen readers hear what kind of element it is, but not what it is for.</source>
        <translation>使用屏幕阅读器的访问者只能听到元素的类型，却不知道它的用途。</translation>
    </message>
    <message>
        <source>Visitors with low vision enlarge pages; where that is prevented, they cannot read them.</source>
        <translation>视力较弱的访问者需要放大页面；如果放大被禁止，他们就无法阅读。</translation>
    </message>
    <message>
        <source>Screen readers read out the same text twice.</source>
        <translation>屏幕阅读器会把同样的文字读两遍。</translation>
    </message>
    <message>
        <source>Visitors with a keyboard or screen reader have to pass all menus again on each page.</source>
        <translation>使用键盘或屏幕阅读器的访问者在每个页面上都得重新经过所有菜单。</translation>
    </message>
    <message>
        <source>Screen readers list the links of a page without the texts around them, so these look the same.</source>
        <translation>屏幕阅读器列出页面的链接时不带周围的文字，这些链接看起来就一样。</translation>
    </message>
    <message>
        <source>Visitors with unsteady hands, or on a phone, hit the wrong target.</source>
        <translation>手不稳或使用手机的访问者会点错目标。</translation>
    </message>
    <message>
        <source>The page changes before slow readers have finished, and screen readers begin again at its top.</source>
        <translation>阅读较慢的人还没读完，页面就变了，屏幕阅读器又得从头开始。</translation>
    </message>
    <message>
        <source>The sound drowns out screen readers, and visitors have to search for what makes it.</source>
        <translation>声音会盖过屏幕阅读器，访问者还得寻找声音的来源。</translation>
    </message>
    <message>
        <source>Visitors with screen readers, or with limited memory, do not know what to enter.</source>
        <translation>使用屏幕阅读器或记忆力有限的访问者不知道该输入什么。</translation>
    </message>
    <message>
        <source>Screen readers list frames by their titles, and visitors choose from that list.</source>
        <translation>屏幕阅读器按标题列出框架，访问者从列表中选择。</translation>
    </message>
    <message>
        <source>Visitors with screen readers get to know a page by moving from heading to heading.</source>
        <translation>使用屏幕阅读器的访问者通过在标题之间移动来了解页面。</translation>
    </message>
    <message>
        <source>Visitors with screen readers jump from landmark to landmark; unclear ones make them search the page.</source>
        <translation>使用屏幕阅读器的访问者在地标之间跳转；地标不清楚，他们就得在页面上到处寻找。</translation>
    </message>
    <message>
        <source>Visitors who control the page by voice say what they see.</source>
        <translation>用语音控制页面的访问者说的是他们看到的文字。</translation>
    </message>
    <message>
        <source>Screen readers read out the title first, and visitors tell their tabs apart by it.</source>
        <translation>屏幕阅读器首先读出标题，访问者也靠它区分标签页。</translation>
    </message>
    <message>
        <source>Assistive technologies ignore ARIA that is not valid, or present the element as something it is not.</source>
        <translation>辅助技术会忽略无效的 ARIA，或者把元素呈现成别的东西。</translation>
    </message>
    <message>
        <source>Screen readers choose voice and pronunciation by the language; with a wrong one, the text cannot be understood.</source>
        <translation>屏幕阅读器按语言选择语音和发音；语言不对，文字就听不懂。</translation>
    </message>
    <message>
        <source>The page loads itself again, or another page after more than a second.</source>
        <translation>页面会重新加载自身，或在一秒多之后加载另一页面。</translation>
    </message>
    <message>
        <source>Refresh Header</source>
        <translation>Refresh 标头</translation>
    </message>
    <message>
        <source>An &lt;h1&gt; has no text but that of an image&apos;s alt attribute.</source>
        <translation>有的 &lt;h1&gt; 除了图片的 alt 属性之外没有文字。</translation>
    </message>
    <message>
        <source>The first &lt;h2&gt; stands before the &lt;h1&gt;, or a heading of another level comes between them.</source>
        <translation>第一个 &lt;h2&gt; 位于 &lt;h1&gt; 之前，或者两者之间出现了其他级别的标题。</translation>
    </message>
    <message>
        <source>The page names more than one URL for the same language and region, or names it in more than one way: in elements, Link headers and sitemaps.</source>
        <translation>该页面为同一语言和地区指定了多个网址，或用多种方式重复指定：元素、Link 标头和站点地图。</translation>
    </message>
    <message>
        <source>Search engines cannot tell which of several URLs to show. What is written in several ways agrees only until somebody changes one of them.</source>
        <translation>有多个网址时，搜索引擎无法判断应显示哪一个。用多种方式写明的内容，只要有人改动其中一处，就不再一致。</translation>
    </message>
    <message>
        <source>Keep one URL for each code, and write all of them in one way.</source>
        <translation>每个代码只保留一个网址，并且全部用同一种方式写明。</translation>
    </message>
    <message>
        <source>Non-Descriptive Link</source>
        <translation>无描述性的链接</translation>
    </message>
    <message>
        <source>The rel=&quot;next&quot; of one page after another leads back to this page, or their rel=&quot;prev&quot; does.</source>
        <translation>各页的 rel=&quot;next&quot; 一页接一页，最后又回到该页面；或者 rel=&quot;prev&quot; 如此。</translation>
    </message>
    <message>
        <source>Correct the one that leads back. The last page has no rel=&quot;next&quot;, the first no rel=&quot;prev&quot;.</source>
        <translation>更正绕回来的那一个。最后一页没有 rel=&quot;next&quot;，第一页没有 rel=&quot;prev&quot;。</translation>
    </message>
    <message>
        <source>A server of another site returned a status code from 500 to 599: it failed.</source>
        <translation>另一个网站的服务器返回了 500 至 599 的状态码：它出了故障。</translation>
    </message>
    <message>
        <source>The server returned a status code from 500 to 599: it failed to handle the request.</source>
        <translation>服务器返回了 500 至 599 的状态码：未能处理请求。</translation>
    </message>
    <message>
        <source>X-Frame-Options</source>
        <translation>X-Frame-Options</translation>
    </message>
    <message>
        <source>The nodes on this computer have ended; others are being started in their place.</source>
        <translation>本机上的节点已终止，正在启动新的节点代替它们。</translation>
    </message>
    <message>
        <source>The nodes on this computer end before they can be used; see the log, or crawl without a cluster.</source>
        <translation>本机上的节点在可以使用之前就已结束；请查看日志，或者不用集群抓取。</translation>
    </message>
    <message>
        <source>The node {name} is gone; its pages are queued again.</source>
        <translation>节点 {name} 已离开；它的页面重新排队。</translation>
    </message>
    <message>
        <source>Starting the nodes on this computer…</source>
        <translation>正在启动本机上的节点…</translation>
    </message>
    <message>
        <source>Waiting for the first node of the cluster at {address}…</source>
        <translation>正在等待位于 {address} 的集群的第一个节点…</translation>
    </message>
    <message>
        <source>Connecting to the Dask scheduler at {address}…</source>
        <translation>正在连接位于 {address} 的 Dask 调度器…</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>错误内容</translation>
    </message>
    <message>
        <source>Missing Properties</source>
        <translation>缺少的属性</translation>
    </message>
    <message>
        <source>The node {name} has no browser that renders pages; install Chromium there, or crawl without rendering.</source>
        <translation>节点 {name} 没有可以渲染页面的浏览器；请在那里安装 Chromium，或者抓取时不渲染。</translation>
    </message>
    <message>
        <source>The node {name} does not see {folder}; mount the folder of the shards there, at the same path.</source>
        <translation>节点 {name} 看不到 {folder}；请在该节点上以相同路径挂载各分片所在的文件夹。</translation>
    </message>
    <message>
        <source>The node {name} cannot write to {folder}; check the disk and the permissions of the mount there.</source>
        <translation>节点 {name} 无法写入 {folder}；请检查那里的磁盘和挂载权限。</translation>
    </message>
    <message>
        <source>The certificates of clusters that Dask&apos;s configuration names cannot be used ({reason}); correct them under distributed.comm.tls.</source>
        <translation>Dask 配置中为集群指定的证书无法使用（{reason}）；请在 distributed.comm.tls 下更正。</translation>
    </message>
    <message>
        <source>A cluster with TLS needs certificates, and Dask&apos;s configuration names none; add them under distributed.comm.tls, or use tcp:// in a private network.</source>
        <translation>使用 TLS 的集群需要证书，而 Dask 的配置没有指定；请在 distributed.comm.tls 下添加，或在专用网络中使用 tcp://。</translation>
    </message>
    <message>
        <source>Matching addresses</source>
        <translation>正在匹配网址</translation>
    </message>
    <message>
        <source>Comparing pages</source>
        <translation>正在对比页面</translation>
    </message>
    <message>
        <source>Comparing issues</source>
        <translation>正在对比问题</translation>
    </message>
    <message>
        <source>Writing the comparison</source>
        <translation>正在写入对比结果</translation>
    </message>
    <message>
        <source>All redirects</source>
        <translation>所有重定向</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Tab-separated values</source>
        <translation>制表符分隔文本</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel 工作簿</translation>
    </message>
    <message>
        <source>JSON Lines</source>
        <translation>JSON Lines</translation>
    </message>
    <message>
        <source>Parquet</source>
        <translation>Parquet</translation>
    </message>
    <message>
        <source>XML sitemap</source>
        <translation>XML 站点地图</translation>
    </message>
    <message>
        <source>XML sitemap, compressed</source>
        <translation>XML 站点地图（压缩）</translation>
    </message>
    <message>
        <source>{sheet} has no column {name!r}; similar names: {near}.</source>
        <translation>{sheet} 没有列 {name!r}；相近的名称：{near}。</translation>
    </message>
    <message>
        <source>URLs that were not requested, and why</source>
        <translation>未请求的 URL 及原因</translation>
    </message>
    <message>
        <source>In tables and trees</source>
        <translation>在表格和树中</translation>
    </message>
    <message>
        <source>In tables</source>
        <translation>在表格中</translation>
    </message>
    <message>
        <source>In the filter field</source>
        <translation>在筛选框中</translation>
    </message>
    <message>
        <source>Measure loading…</source>
        <translation>测量加载性能…</translation>
    </message>
    <message>
        <source>In the list of ignored issues</source>
        <translation>在已忽略问题列表中</translation>
    </message>
    <message>
        <source>Crawl the selected URLs again</source>
        <translation>重新抓取选中的网址</translation>
    </message>
    <message>
        <source>Cancel the selected URLs</source>
        <translation>取消选中的网址</translation>
    </message>
    <message>
        <source>In trees</source>
        <translation>在树中</translation>
    </message>
    <message>
        <source>Make a project from the archive of a website, without a request to it</source>
        <translation>由网站的存档生成项目，不向网站发送请求</translation>
    </message>
    <message>
        <source>Cancel the crawl</source>
        <translation>取消抓取</translation>
    </message>
    <message>
        <source>Crawl the whole site again</source>
        <translation>重新抓取整个网站</translation>
    </message>
    <message>
        <source>S&amp;QL console…</source>
        <translation>SQL 控制台(&amp;Q)…</translation>
    </message>
    <message>
        <source>Ask this crawl questions in SQL</source>
        <translation>用 SQL 查询此抓取</translation>
    </message>
    <message>
        <source>Reading the archive: {percent} %.</source>
        <translation>正在读取存档：{percent}%。</translation>
    </message>
    <message>
        <source>The comparison failed unexpectedly; see the log for details, and please report it.</source>
        <translation>对比意外失败；详情请查看日志，并请报告此问题。</translation>
    </message>
    <message>
        <source>The audit failed unexpectedly; see the log for details, and please report it.</source>
        <translation>审计意外失败；详情请查看日志，并请报告此问题。</translation>
    </message>
    <message>
        <source>Connecting to the cluster…</source>
        <translation>正在连接集群…</translation>
    </message>
    <message>
        <source>WCAG 2.0 A</source>
        <translation>WCAG 2.0 A</translation>
    </message>
    <message>
        <source>WCAG 2.0 AA</source>
        <translation>WCAG 2.0 AA</translation>
    </message>
    <message>
        <source>WCAG 2.0 AAA</source>
        <translation>WCAG 2.0 AAA</translation>
    </message>
    <message>
        <source>WCAG 2.1 A</source>
        <translation>WCAG 2.1 A</translation>
    </message>
    <message>
        <source>WCAG 2.1 AA</source>
        <translation>WCAG 2.1 AA</translation>
    </message>
    <message>
        <source>WCAG 2.2 AA</source>
        <translation>WCAG 2.2 AA</translation>
    </message>
    <message>
        <source>Best Practice</source>
        <translation>最佳实践</translation>
    </message>
    <message>
        <source>Minor</source>
        <translation>轻微</translation>
    </message>
    <message>
        <source>Moderate</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>Serious</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>致命</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>已移动</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>移入</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>移出</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>不再适用</translation>
    </message>
    <message>
        <source>Content similarity</source>
        <translation>内容相似度</translation>
    </message>
    <message>
        <source>How much of the text is the same as before, estimated from sketches</source>
        <translation>文本与之前相同的比例，根据文本指纹估算</translation>
    </message>
    <message>
        <source>[faults](#faults-of-structured-data) of its structured data; NULL for none</source>
        <translation>结构化数据的[错误](#faults-of-structured-data)；没有时为 NULL</translation>
    </message>
    <message>
        <source>Accessibility rules</source>
        <translation>无障碍规则</translation>
    </message>
    <message>
        <source>The rules of axe that the page breaks</source>
        <translation>页面违反的 axe 规则</translation>
    </message>
    <message>
        <source>Checked</source>
        <translation>已检查</translation>
    </message>
    <message>
        <source>Checked without contrast</source>
        <translation>已检查（不含对比度）</translation>
    </message>
    <message>
        <source>Check failed</source>
        <translation>检查失败</translation>
    </message>
    <message>
        <source>No axe-core</source>
        <translation>没有 axe-core</translation>
    </message>
    <message>
        <source>How the check of the page for accessibility ended</source>
        <translation>页面无障碍检查的结果</translation>
    </message>
    <message>
        <source>All violations</source>
        <translation>全部违规</translation>
    </message>
    <message>
        <source>Accessibility rules that the page breaks</source>
        <translation>页面违反的无障碍规则数</translation>
    </message>
    <message>
        <source>WCAG 2.0 A violations</source>
        <translation>WCAG 2.0 A 违规</translation>
    </message>
    <message>
        <source>WCAG 2.0 AA violations</source>
        <translation>WCAG 2.0 AA 违规</translation>
    </message>
    <message>
        <source>WCAG 2.0 AAA violations</source>
        <translation>WCAG 2.0 AAA 违规</translation>
    </message>
    <message>
        <source>WCAG 2.1 A violations</source>
        <translation>WCAG 2.1 A 违规</translation>
    </message>
    <message>
        <source>WCAG 2.1 AA violations</source>
        <translation>WCAG 2.1 AA 违规</translation>
    </message>
    <message>
        <source>WCAG 2.2 AA violations</source>
        <translation>WCAG 2.2 AA 违规</translation>
    </message>
    <message>
        <source>Best practice violations</source>
        <translation>最佳实践违规</translation>
    </message>
    <message>
        <source>Accessibility violations</source>
        <translation>无障碍违规</translation>
    </message>
    <message>
        <source>Pages are not rendered: no browser was found. &apos;gossamer browser&apos; says how to install one.</source>
        <translation>页面未渲染：未找到浏览器。运行“gossamer browser”可了解如何安装。</translation>
    </message>
    <message>
        <source>Runs the JavaScript of pages in a browser: at most about 5 pages per second and core, with 300 MB of memory.</source>
        <translation>在浏览器中运行页面的 JavaScript：每个核心每秒最多约 5 个页面，并占用 300 MB 内存。</translation>
    </message>
    <message>
        <source>Pages are not checked for accessibility: axe-core is missing. In a checkout, &apos;python3 packaging/dev.py setup&apos; gets it from npm.</source>
        <translation>页面没有做无障碍检查：缺少 axe-core。在源代码目录中，“python3 packaging/dev.py setup”会从 npm 获取它。</translation>
    </message>
    <message>
        <source>The server asked for the login again instead of returning the page; the page is requested again when the crawl has a login that works.</source>
        <translation>服务器没有返回该页面，而是再次要求登录；抓取获得有效的登录后会重新请求该页面。</translation>
    </message>
    <message>
        <source>status {status}</source>
        <translation>状态码 {status}</translation>
    </message>
    <message>
        <source>Paused: the start page {url} asks for a login, so there is none yet or it does not work. Log in again; or resume to go on without it.</source>
        <translation>已暂停：起始页面 {url} 要求登录，说明尚未登录或登录无效。请重新登录；也可直接继续，不再登录。</translation>
    </message>
    <message>
        <source>Paused: {url} asks for the login again, so it has expired or does not work. Log in again; or resume to go on without it.</source>
        <translation>已暂停：{url} 再次要求登录，说明登录已过期或无效。请重新登录；也可直接继续，不再登录。</translation>
    </message>
    <message>
        <source>The process that fills in the login form exited; try again.</source>
        <translation>填写登录表单的进程已退出；请重试。</translation>
    </message>
    <message>
        <source>The site responded to the form with status {status}; check what was typed, or log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>网站对表单的响应是状态码 {status}；请检查输入的内容，或改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>The site accepted the form but set no cookie, so the login needs scripts; log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>网站接受了表单但没有设置 cookie，因此登录由其脚本完成；请改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>{url} returns status {status}.</source>
        <translation>{url} 返回状态码 {status}。</translation>
    </message>
    <message>
        <source>{url}: {why}</source>
        <translation>{url}：{why}</translation>
    </message>
    <message>
        <source>{url} leads to {host}, another site that people log in at; log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>{url} 转到另一个用于登录的网站 {host}；请改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>The login form of {url} is sent to {host}, another site; log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>{url} 的登录表单会发送到另一个网站 {host}；请改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>The login form of {url} is sent without encryption; it is not filled in.</source>
        <translation>{url} 的登录表单以未加密方式发送；不予填写。</translation>
    </message>
    <message>
        <source>{url} has no login form of its own, only frames; name the page in the frame, or log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>{url} 自身没有登录表单，只有框架；请指定框架中的页面，或改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>The HTML of {url} has no login form: another page may have it, or scripts make it; then log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>{url} 的 HTML 中没有登录表单：可能在另一个页面上，或由脚本生成；若是后者，请改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>The site shows the form again, with a captcha; log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>网站再次显示表单，并带有人机验证；请改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>The site shows the form again: what was typed is wrong, or it wants a token that its scripts send. Check it, or log in in a browser window instead: &apos;gossamer login URL&apos;, or Log in… in the settings.</source>
        <translation>网站再次显示表单：输入有误，或者它需要由脚本发送的令牌。请检查输入，或改用浏览器窗口登录：“gossamer login URL”，或设置中的“登录…”。</translation>
    </message>
    <message>
        <source>The site shows the form again, so what was typed is probably wrong; check it and try again.</source>
        <translation>网站再次显示表单，输入的内容可能有误；请检查后重试。</translation>
    </message>
    <message>
        <source>The site allows no more attempts to log in for now; try again later.</source>
        <translation>网站目前不允许再尝试登录；请稍后再试。</translation>
    </message>
    <message>
        <source>The site allows no more attempts to log in for now; try again in {minutes} minute(s).</source>
        <translation>网站目前不允许再尝试登录；请在 {minutes} 分钟后重试。</translation>
    </message>
    <message>
        <source>Login form</source>
        <translation>登录表单</translation>
    </message>
    <message>
        <source>The login form has an address that is not a web address; record it again with &apos;gossamer login URL --form&apos;.</source>
        <translation>登录表单中有不是网址的地址；请用“gossamer login URL --form”重新记录。</translation>
    </message>
    <message>
        <source>The login form has no field to fill in; record it again with &apos;gossamer login URL --form&apos;.</source>
        <translation>登录表单没有可填写的字段；请用“gossamer login URL --form”重新记录。</translation>
    </message>
    <message>
        <source>The form has no field {name!r}; its fields are {names}.</source>
        <translation>表单没有字段 {name!r}；它的字段有 {names}。</translation>
    </message>
    <message>
        <source>The field {name!r} is for a password, which is not recorded; leave it out, and you will be asked for it.</source>
        <translation>字段 {name!r} 用于密码，不会被记录；请省略它，系统会向您询问。</translation>
    </message>
    <message>
        <source>the field {name} of the login form</source>
        <translation>登录表单的字段 {name}</translation>
    </message>
    <message>
        <source>{url} no longer has the login form that was recorded; record it again with &apos;gossamer login URL --form&apos; or Log in with a form in the settings.</source>
        <translation>{url} 不再有所记录的登录表单；请用“gossamer login URL --form”或设置中的“用表单登录”重新记录。</translation>
    </message>
    <message>
        <source>The site asks for more than was recorded; record the login form again with &apos;gossamer login URL --form&apos; or Log in with a form in the settings.</source>
        <translation>网站要求的内容多于所记录的；请用“gossamer login URL --form”或设置中的“用表单登录”重新记录登录表单。</translation>
    </message>
    <message>
        <source>It redirects more than {most} times.</source>
        <translation>重定向超过 {most} 次。</translation>
    </message>
    <message>
        <source>Depth and outlinks</source>
        <translation>深度和出链</translation>
    </message>
    <message>
        <source>File sizes</source>
        <translation>文件大小</translation>
    </message>
    <message>
        <source>Alt texts</source>
        <translation>替代文本</translation>
    </message>
    <message>
        <source>&amp;Log in…</source>
        <translation>登录(&amp;L)…</translation>
    </message>
    <message>
        <source>Log in to the site in a browser window, and crawl it as you see it</source>
        <translation>在浏览器窗口中登录网站，然后按登录后所见的内容抓取</translation>
    </message>
    <message>
        <source>The first {shown} of {number}.</source>
        <translation>前 {shown} 个，共 {number} 个。</translation>
    </message>
    <message>
        <source>Screenshots</source>
        <translation>截图</translation>
    </message>
    <message>
        <source>How much of its text the most similar page shares</source>
        <translation>与最相似页面相同的文本所占比例</translation>
    </message>
    <message>
        <source>How much of the page is visible text</source>
        <translation>页面中可见文本所占比例</translation>
    </message>
    <message>
        <source>The login form is of {site}, and the crawl starts at another site; remove login_form from the settings, or record the form of this site.</source>
        <translation>登录表单属于 {site}，而抓取从另一个网站开始；请从设置中移除 login_form，或记录此网站的表单。</translation>
    </message>
    <message>
        <source>Small targets</source>
        <translation>过小的点击目标</translation>
    </message>
    <message>
        <source>Links and buttons too small and too close to others for fingers</source>
        <translation>过小且彼此太近、不便手指点击的链接和按钮</translation>
    </message>
    <message>
        <source>Content width</source>
        <translation>内容宽度</translation>
    </message>
    <message>
        <source>Small text %</source>
        <translation>小字比例</translation>
    </message>
    <message>
        <source>Share of the text that is less than 12 pixels high on the screen of a phone</source>
        <translation>在手机屏幕上小于 12 像素的文字所占比例</translation>
    </message>
    <message>
        <source>Covered %</source>
        <translation>遮挡比例</translation>
    </message>
    <message>
        <source>Share of the screen of a phone with something above the content</source>
        <translation>手机屏幕上内容被遮挡部分所占比例</translation>
    </message>
    <message>
        <source>Measure loading</source>
        <translation>测量加载性能</translation>
    </message>
    <message>
        <source>Renders one page at a time, in real time: about 2 s more per page.</source>
        <translation>每次只渲染一个页面，按真实时间进行：每页约多花 2 秒。</translation>
    </message>
    <message>
        <source>Intrusive Overlay</source>
        <translation>遮挡内容的浮层</translation>
    </message>
    <message>
        <source>More than half of the screen of a phone is covered by something that stays above the content, such as a dialog or a banner.</source>
        <translation>手机屏幕有一半以上被始终浮在内容之上的元素（例如对话框或横幅）遮住。</translation>
    </message>
    <message>
        <source>Visitors cannot read what they came for. Google may rank pages with intrusive interstitials lower.</source>
        <translation>访问者看不到想看的内容。Google 可能降低带有干扰性插页的网页的排名。</translation>
    </message>
    <message>
        <source>Use a small banner, or show the dialog only after visitors have asked for something.</source>
        <translation>请使用较小的横幅，或者只在访问者主动操作之后才显示对话框。</translation>
    </message>
    <message>
        <source>First Contentful Paint</source>
        <translation>首次内容绘制</translation>
    </message>
    <message>
        <source>Until the first text or image is painted</source>
        <translation>到绘制出第一段文字或第一张图片为止</translation>
    </message>
    <message>
        <source>Largest Contentful Paint</source>
        <translation>最大内容绘制</translation>
    </message>
    <message>
        <source>Until the largest text or image is painted</source>
        <translation>到绘制出最大的文字块或图片为止</translation>
    </message>
    <message>
        <source>Cumulative Layout Shift</source>
        <translation>累积布局偏移</translation>
    </message>
    <message>
        <source>How much of the page moves while it is looked at</source>
        <translation>浏览期间页面内容移动的程度</translation>
    </message>
    <message>
        <source>Total Blocking Time</source>
        <translation>总阻塞时间</translation>
    </message>
    <message>
        <source>During which scripts keep the page from responding</source>
        <translation>脚本使页面无法响应的时间</translation>
    </message>
    <message>
        <source>DOM elements</source>
        <translation>DOM 元素数</translation>
    </message>
    <message>
        <source>Elements of the rendered page, without those in shadow roots and frames</source>
        <translation>渲染后页面中的元素，不含 Shadow DOM 和框架中的元素</translation>
    </message>
    <message>
        <source>All that the page transfers when nothing is cached</source>
        <translation>没有缓存时页面传输的全部数据</translation>
    </message>
    <message>
        <source>JavaScript size</source>
        <translation>JavaScript 大小</translation>
    </message>
    <message>
        <source>CSS size</source>
        <translation>CSS 大小</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>图片大小</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>字体文件大小</translation>
    </message>
    <message>
        <source>Of the files of fonts</source>
        <translation>指字体文件</translation>
    </message>
    <message>
        <source>Third-party requests</source>
        <translation>第三方请求数</translation>
    </message>
    <message>
        <source>To other registrable domains than that of the page</source>
        <translation>发往与页面不同的可注册域名</translation>
    </message>
    <message>
        <source>Third-party size</source>
        <translation>第三方大小</translation>
    </message>
    <message>
        <source>On the screen of a phone</source>
        <translation>在手机屏幕上</translation>
    </message>
    <message>
        <source>The comparison process exited unexpectedly; see the log, then try again.</source>
        <translation>对比进程意外退出；请查看日志，然后重试。</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be written ({reason}); make room, or set XDG_CACHE_HOME.</source>
        <translation>无法写入文件夹 {folder}（{reason}）；请腾出空间，或设置 XDG_CACHE_HOME。</translation>
    </message>
    <message>
        <source>This crawl needs {secrets}, which project files do not store. Enter it in the window&apos;s settings, or use --login, --login-values, --auth, --client-certificate, --cookie or --header.</source>
        <translation>此次抓取需要{secrets}，项目文件不保存它。请在窗口的设置中输入，或使用 --login、--login-values、--auth、--client-certificate、--cookie 或 --header。</translation>
    </message>
    <message>
        <source>A client certificate is shown to https servers only, and {site} is not one; use an address that begins with https://.</source>
        <translation>客户端证书只向 https 服务器出示，而 {site} 不是；请使用以 https:// 开头的网址。</translation>
    </message>
    <message>
        <source>the client certificate {path}</source>
        <translation>客户端证书 {path}</translation>
    </message>
    <message>
        <source>The client certificate {path} is not valid before {date}.</source>
        <translation>客户端证书 {path} 在 {date} 之前无效。</translation>
    </message>
    <message>
        <source>The client certificate {path} expired on {date}; get a new one.</source>
        <translation>客户端证书 {path} 已于 {date} 过期；请获取新证书。</translation>
    </message>
    <message>
        <source>The key in {path} does not belong to its certificate; use the key that the certificate was made for.</source>
        <translation>{path} 中的密钥不属于其证书；请使用该证书对应的密钥。</translation>
    </message>
    <message>
        <source>{path} must have a certificate and its private key, in PEM or PKCS#12; put both into one file.</source>
        <translation>{path} 必须包含证书及其私钥，格式为 PEM 或 PKCS#12；请将两者放入一个文件。</translation>
    </message>
    <message>
        <source>The passphrase of the client certificate {path} is wrong or missing; enter it again.</source>
        <translation>客户端证书 {path} 的密码有误或缺失；请重新输入。</translation>
    </message>
    <message>
        <source>The client certificate {path} is damaged.</source>
        <translation>客户端证书 {path} 已损坏。</translation>
    </message>
    <message>
        <source>{path}: {reason}; name a file with a certificate and its key.</source>
        <translation>{path}：{reason}；请指定包含证书及其密钥的文件。</translation>
    </message>
    <message>
        <source>The cookies of the login are for {host} alone, where the crawl does not start; start it there, or use the login form of its own host.</source>
        <translation>登录的 cookie 仅用于 {host}，而抓取并非从该主机开始；请从该主机开始抓取，或使用起始主机自己的登录表单。</translation>
    </message>
    <message>
        <source>Asks for a login</source>
        <translation>要求登录</translation>
    </message>
    <message>
        <source>{host} asks for a login. To crawl what is behind it, log in and crawl again.</source>
        <translation>{host} 要求登录。要抓取登录后的内容，请先登录，然后重新抓取。</translation>
    </message>
    <message>
        <source>Log in…</source>
        <translation>登录…</translation>
    </message>
    <message>
        <source>Uses WebSockets</source>
        <translation>使用 WebSocket</translation>
    </message>
    <message>
        <source>Scripts of the page try to open a WebSocket. Like search engines, Gossamer opens none: their connection ends at once.</source>
        <translation>页面的脚本需要 WebSocket 连接。与搜索引擎一样，Gossamer 不建立这种连接：连接会立即关闭。</translation>
    </message>
    <message>
        <source>What the page shows only by a WebSocket is missing here, and search engines do not see it either.</source>
        <translation>页面仅通过 WebSocket 显示的内容在这里缺失，搜索引擎也看不到。</translation>
    </message>
    <message>
        <source>Put the content that matters into the HTML, or let scripts load it over HTTP.</source>
        <translation>请将重要内容放入 HTML，或让脚本通过 HTTP 加载。</translation>
    </message>
    <message>
        <source>{aside} is in the way: it is not an update of the current {path}; move or delete it.</source>
        <translation>{aside} 占用了所需的文件名：它不是当前 {path} 的更新；请移走或删除它。</translation>
    </message>
    <message>
        <source>{aside} is not finished; resume it first.</source>
        <translation>{aside} 尚未完成；请先继续抓取它。</translation>
    </message>
    <message>
        <source>{path} cannot be replaced ({reason}); close it in other programs, then try again.</source>
        <translation>无法替换 {path}（{reason}）；请在其他程序中关闭它，然后重试。</translation>
    </message>
    <message>
        <source>Unchanged since</source>
        <translation>未变化起始</translation>
    </message>
    <message>
        <source>When a crawl of this series first saw the content as it is now</source>
        <translation>本系列的抓取首次看到现有内容的时间</translation>
    </message>
    <message>
        <source>Not modified</source>
        <translation>未修改</translation>
    </message>
    <message>
        <source>Not due</source>
        <translation>未到期</translation>
    </message>
    <message>
        <source>Since last crawl</source>
        <translation>与上次抓取相比</translation>
    </message>
    <message>
        <source>Not modified: the server says so (304); facts and links are those of the earlier crawl. Not due: not requested, because it has not changed for long</source>
        <translation>未修改：服务器返回 304，数据和链接沿用先前的抓取。未到期：因长期未变化而没有请求</translation>
    </message>
    <message>
        <source>Asks for a password</source>
        <translation>要求输入密码</translation>
    </message>
    <message>
        <source>{host} asks for a user and a password (status 401). Enter them, or log in, and crawl again.</source>
        <translation>{host} 要求用户名和密码（状态码 401）。请输入它们或登录，然后重新抓取。</translation>
    </message>
    <message>
        <source>Enter them…</source>
        <translation>输入…</translation>
    </message>
    <message>
        <source>Does not accept the login</source>
        <translation>不接受该登录</translation>
    </message>
    <message>
        <source>{host} does not accept the login of this crawl (status 401). Enter another, or log in again, and crawl again.</source>
        <translation>{host} 不接受本次抓取的登录（状态码 401）。请输入其他用户名和密码，或重新登录，然后重新抓取。</translation>
    </message>
    <message>
        <source>Enter another…</source>
        <translation>输入其他…</translation>
    </message>
    <message>
        <source>There are {number} series whose id begins with {text!r}; see &apos;gossamer series list&apos;.</source>
        <translation>有 {number} 个系列的编号以 {text!r} 开头；请查看 &apos;gossamer series list&apos;。</translation>
    </message>
    <message>
        <source>Crawl histor&amp;y…</source>
        <translation>抓取历史(&amp;Y)…</translation>
    </message>
    <message>
        <source>All crawls of this site: figures, trends, notes</source>
        <translation>此网站的所有抓取：数据、趋势、备注</translation>
    </message>
    <message>
        <source>it wants a user and a password, or other ones</source>
        <translation>需要用户名和密码，或其他用户名和密码</translation>
    </message>
    <message>
        <source>it accepts only {schemes} authentication; for proxies, Gossamer knows Basic</source>
        <translation>只接受 {schemes} 身份验证；对于代理，Gossamer 只支持 Basic</translation>
    </message>
    <message>
        <source>{number} projects cannot be kept; use 0 to 10,000.</source>
        <translation>无法保留 {number} 个项目；请使用 0 到 10,000。</translation>
    </message>
    <message>
        <source>The schedule {name} is disabled.</source>
        <translation>定时抓取 {name} 已停用。</translation>
    </message>
    <message>
        <source>The schedule {name} is not due.</source>
        <translation>定时抓取 {name} 尚未到时间。</translation>
    </message>
    <message>
        <source>{path} was made by a newer Gossamer; update Gossamer to use it.</source>
        <translation>{path} 由较新版本的 Gossamer 创建；请更新 Gossamer 后再使用。</translation>
    </message>
    <message>
        <source>The schedule {name} is running already ({holder}); wait until it has ended.</source>
        <translation>定时抓取 {name} 已在运行（{holder}）；请等待其结束。</translation>
    </message>
    <message>
        <source>{path} cannot be used ({reason}).</source>
        <translation>无法使用 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>daily at {time}</source>
        <translation>每天 {time}</translation>
    </message>
    <message>
        <source>cron {expression}</source>
        <translation>cron {expression}</translation>
    </message>
    <message>
        <source>Sundays at {time}</source>
        <translation>每周日 {time}</translation>
    </message>
    <message>
        <source>Mondays at {time}</source>
        <translation>每周一 {time}</translation>
    </message>
    <message>
        <source>Tuesdays at {time}</source>
        <translation>每周二 {time}</translation>
    </message>
    <message>
        <source>Wednesdays at {time}</source>
        <translation>每周三 {time}</translation>
    </message>
    <message>
        <source>Thursdays at {time}</source>
        <translation>每周四 {time}</translation>
    </message>
    <message>
        <source>Fridays at {time}</source>
        <translation>每周五 {time}</translation>
    </message>
    <message>
        <source>Saturdays at {time}</source>
        <translation>每周六 {time}</translation>
    </message>
    <message>
        <source>{day!r} is not a day of the week; use one such as &apos;sunday&apos;.</source>
        <translation>{day!r} 不是星期几；请使用“sunday”这样的写法。</translation>
    </message>
    <message>
        <source>{typed!r} is not a cron expression; use five fields such as &apos;30 2 * * 1-5&apos;, or @daily.</source>
        <translation>{typed!r} 不是 cron 表达式；请使用五个字段，例如“30 2 * * 1-5”，或 @daily。</translation>
    </message>
    <message>
        <source>{field!r} is not a field of a cron expression; use &apos;*&apos;, numbers, names, lists, ranges and steps such as &apos;*/15&apos; or &apos;1-5&apos;.</source>
        <translation>{field!r} 不是 cron 表达式的字段；请使用“*”、数字、名称、列表、范围和步长，例如“*/15”或“1-5”。</translation>
    </message>
    <message>
        <source>{typed!r} never occurs: a number in it is too large, a range begins after its end, or no month has such a day.</source>
        <translation>{typed!r} 永远不会出现：其中有数字过大、范围的起点在终点之后，或没有哪个月有这样的日期。</translation>
    </message>
    <message>
        <source>{typed!r} is not a time of day; use one such as &apos;02:30&apos;.</source>
        <translation>{typed!r} 不是时刻；请使用“02:30”这样的写法。</translation>
    </message>
    <message>
        <source>The schedule folder {folder} cannot be read ({reason}).</source>
        <translation>无法读取定时抓取文件夹 {folder}（{reason}）。</translation>
    </message>
    <message>
        <source>There is no schedule named {name!r}; the schedules are {known}.</source>
        <translation>没有名为 {name!r} 的定时抓取；现有的定时抓取为 {known}。</translation>
    </message>
    <message>
        <source>There is no schedule named {name!r}; add one with &apos;gossamer schedule add&apos;.</source>
        <translation>没有名为 {name!r} 的定时抓取；请用“gossamer schedule add”添加。</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}).</source>
        <translation>无法读取 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>{path} is not a schedule of Gossamer ({reason}); delete it, and add the schedule again.</source>
        <translation>{path} 不是 Gossamer 的定时抓取（{reason}）；请将其删除，然后重新添加。</translation>
    </message>
    <message>
        <source>The schedule {name} cannot run now: {path} is being crawled ({holder}); wait until that has ended.</source>
        <translation>定时抓取 {name} 现在无法运行：{path} 正在被抓取（{holder}）；请等待其结束。</translation>
    </message>
    <message>
        <source>Resuming the crawl of {path}.</source>
        <translation>继续 {path} 的抓取。</translation>
    </message>
    <message>
        <source>Crawling into {path}.</source>
        <translation>正在抓取到 {path}。</translation>
    </message>
    <message>
        <source>Removed {path}, as the retention rule says.</source>
        <translation>已按保留规则移除 {path}。</translation>
    </message>
    <message>
        <source>Not removed: {reason}</source>
        <translation>未移除：{reason}</translation>
    </message>
    <message>
        <source>Enter the URL of a website to crawl, or a project to crawl again.</source>
        <translation>请输入要抓取的网站的网址，或要再次抓取的项目。</translation>
    </message>
    <message>
        <source>Schedules keep no passwords, cookies or headers; crawl the site once with --remember, and schedule that project.</source>
        <translation>定时抓取不保存密码、Cookie 或标头；请先用 --remember 抓取一次该网站，再为该项目添加定时抓取。</translation>
    </message>
    <message>
        <source>Its timer is missing; create it again: {command}</source>
        <translation>其定时器已不存在；请重新写入：{command}</translation>
    </message>
    <message>
        <source>Its timer starts {program}, which no longer exists; create it again: {command}</source>
        <translation>其定时器启动的 {program} 已不存在；请重新写入：{command}</translation>
    </message>
    <message>
        <source>{path} is being crawled.</source>
        <translation>{path} 正在被抓取。</translation>
    </message>
    <message>
        <source>{path} is open in another program.</source>
        <translation>{path} 已在另一个程序中打开。</translation>
    </message>
    <message>
        <source>{path} has a note.</source>
        <translation>{path} 有备注。</translation>
    </message>
    <message>
        <source>The path of {program} is too long for a line of crontab; install Gossamer elsewhere.</source>
        <translation>{program} 的路径对于 crontab 的一行来说过长；请将 Gossamer 安装到别处。</translation>
    </message>
    <message>
        <source>The crontab has only a part of the block of Gossamer&apos;s schedules; delete what is left of it with &apos;crontab -e&apos;.</source>
        <translation>crontab 中只有 Gossamer 定时抓取区块的一部分；请用“crontab -e”删除其余部分。</translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason}).</source>
        <translation>无法写入 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>{path} cannot be removed ({reason}).</source>
        <translation>无法移除 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>{program} cannot be run ({reason}).</source>
        <translation>无法运行 {program}（{reason}）。</translation>
    </message>
    <message>
        <source>{program} failed: {reason}.</source>
        <translation>{program} 失败：{reason}。</translation>
    </message>
    <message>
        <source>{path} has a character that {timer} cannot start a program with; install Gossamer elsewhere.</source>
        <translation>{path} 含有 {timer} 无法用来启动程序的字符；请将 Gossamer 安装到别处。</translation>
    </message>
    <message>
        <source>It runs only while you are logged in; for runs without that: loginctl enable-linger</source>
        <translation>仅在您登录期间运行；若要在未登录时也运行：loginctl enable-linger</translation>
    </message>
    <message>
        <source>{path} has two percent signs, between which Windows would see a variable; install Gossamer elsewhere.</source>
        <translation>{path} 含有两个百分号，Windows 会把其间的内容当作变量；请将 Gossamer 安装到别处。</translation>
    </message>
    <message>
        <source>This system has neither a running systemd user manager nor a crontab; use &apos;--timer none&apos;, and let another timer of the system start &apos;gossamer schedule run --due&apos;.</source>
        <translation>此系统既没有正在运行的用户 systemd，也没有 crontab；请使用“--timer none”，并用系统已有的方式启动“gossamer schedule run --due”。</translation>
    </message>
    <message>
        <source>A comparison cannot be written to {name!r}; end the file name with {known}.</source>
        <translation>对比结果不能写入 {name!r}；文件名请以 {known} 结尾。</translation>
    </message>
    <message>
        <source>What got worse</source>
        <translation>变差的问题</translation>
    </message>
    <message>
        <source>What got better</source>
        <translation>变好的问题</translation>
    </message>
    <message>
        <source>What is on other URLs now</source>
        <translation>换到其他网址的问题</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Comparison of {host}</source>
        <translation>{host} 的对比</translation>
    </message>
    <message>
        <source>Mapped</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>Comparison of two crawls</source>
        <translation>两次抓取的对比</translation>
    </message>
    <message>
        <source>{root}, crawled on {time} UTC: {urls} URLs, {pages} HTML pages</source>
        <translation>{root}，抓取于 {time} UTC：{urls} 个网址，{pages} 个 HTML 页面</translation>
    </message>
    <message>
        <source>Please note</source>
        <translation>请注意</translation>
    </message>
    <message>
        <source>issues got worse</source>
        <translation>个问题变差</translation>
    </message>
    <message>
        <source>issues got better</source>
        <translation>个问题变好</translation>
    </message>
    <message>
        <source>new URLs</source>
        <translation>个新增网址</translation>
    </message>
    <message>
        <source>missing URLs</source>
        <translation>个消失的网址</translation>
    </message>
    <message>
        <source>changed URLs</source>
        <translation>个已更改的网址</translation>
    </message>
    <message>
        <source>Nothing.</source>
        <translation>无。</translation>
    </message>
    <message>
        <source>What changed on pages</source>
        <translation>页面上的更改</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选器</translation>
    </message>
    <message>
        <source>URLs by filter</source>
        <translation>各筛选器的网址</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>The crawls do not differ.</source>
        <translation>两次抓取没有差异。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>之前与之后</translation>
    </message>
    <message>
        <source>Redirects that changed</source>
        <translation>已更改的重定向</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Site structure</source>
        <translation>网站结构</translation>
    </message>
    <message>
        <source>Redirects now</source>
        <translation>现在会重定向</translation>
    </message>
    <message>
        <source>Redirects no more</source>
        <translation>不再重定向</translation>
    </message>
    <message>
        <source>Leads elsewhere</source>
        <translation>指向他处</translation>
    </message>
    <message>
        <source>Tabs</source>
        <translation>选项卡</translation>
    </message>
    <message>
        <source>Internal and external</source>
        <translation>内部与外部</translation>
    </message>
    <message>
        <source>Status class</source>
        <translation>状态类别</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>External</source>
        <translation>外部</translation>
    </message>
    <message>
        <source>Internal</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>Fonts</source>
        <translation>字体</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>XML</source>
        <translation>XML</translation>
    </message>
    <message>
        <source>{scope}: {type}</source>
        <translation>{scope}：{type}</translation>
    </message>
    <message>
        <source>No response</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>Not reached by clicks</source>
        <translation>点击无法到达</translation>
    </message>
    <message>
        <source>{depth} and deeper</source>
        <translation>{depth} 及更深</translation>
    </message>
    <message>
        <source>The crawl before is not finished: {waiting} URLs were still waiting; they are not compared.</source>
        <translation>之前的抓取尚未完成：还有 {waiting} 个网址在等待；这些网址不参与对比。</translation>
    </message>
    <message>
        <source>The crawl after is not finished: {waiting} URLs were still waiting; they are not compared.</source>
        <translation>之后的抓取尚未完成：还有 {waiting} 个网址在等待；这些网址不参与对比。</translation>
    </message>
    <message>
        <source>The issues before are not up to date; audit that project, then compare again.</source>
        <translation>之前的问题不是最新的；请审计该项目，然后重新对比。</translation>
    </message>
    <message>
        <source>The issues after are not up to date; audit that project, then compare again.</source>
        <translation>之后的问题不是最新的；请审计该项目，然后重新对比。</translation>
    </message>
    <message>
        <source>Both sides are the same project.</source>
        <translation>两边是同一个项目。</translation>
    </message>
    <message>
        <source>The project named first is the later one: what is new here was there before.</source>
        <translation>先指定的项目较晚：此处的“新增”其实以前就有。</translation>
    </message>
    <message>
        <source>The crawls have different settings, which can explain differences: {settings}.</source>
        <translation>两次抓取的设置不同，这可能造成差异：{settings}。</translation>
    </message>
    <message>
        <source>No address of the earlier crawl begins with a mapped prefix.</source>
        <translation>之前的网址都不以所映射的前缀开头。</translation>
    </message>
    <message>
        <source>The crawls have no address in common; map the hosts of one crawl to those of the other.</source>
        <translation>两次抓取没有共同的网址；请将一方的主机映射到另一方。</translation>
    </message>
    <message>
        <source>What was noted about the URL, in any crawl of this site</source>
        <translation>在此网站的任一次抓取中对该网址所做的备注</translation>
    </message>
    <message>
        <source>Site</source>
        <translation>网站</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Crawl</source>
        <translation>抓取</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>写于</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>With notes</source>
        <translation>有备注</translation>
    </message>
    <message>
        <source>Without notes</source>
        <translation>无备注</translation>
    </message>
    <message>
        <source>&amp;Compare…</source>
        <translation>对比(&amp;C)…</translation>
    </message>
    <message>
        <source>See what differs between two crawls</source>
        <translation>查看两次抓取之间的差异</translation>
    </message>
    <message>
        <source>Conditional requests</source>
        <translation>条件请求</translation>
    </message>
    <message>
        <source>Servers do not send again what is not modified.</source>
        <translation>服务器会说明哪些内容未修改，不再重新发送。</translation>
    </message>
    <message>
        <source>Check pages that nothing leads to any more</source>
        <translation>检查已无任何链接指向的页面</translation>
    </message>
    <message>
        <source>Distinguishes pages that are gone from pages that are no longer linked.</source>
        <translation>区分已消失的页面和不再被链接的页面。</translation>
    </message>
    <message>
        <source>URLs whose lastmod is later than their last crawl.</source>
        <translation>lastmod 晚于上次抓取时间的网址。</translation>
    </message>
    <message>
        <source>Request rarely changed pages less often</source>
        <translation>减少请求很少变化的页面</translation>
    </message>
    <message>
        <source>A page that did not change for 20 days is requested every 10 days.</source>
        <translation>20 天未变化的页面每 10 天请求一次。</translation>
    </message>
    <message>
        <source>Shortest interval</source>
        <translation>最短间隔</translation>
    </message>
    <message>
        <source> hours</source>
        <translation> 小时</translation>
    </message>
    <message>
        <source>Longest interval</source>
        <translation>最长间隔</translation>
    </message>
    <message>
        <source>Gone: the earlier crawl found this page; now there is nothing.</source>
        <translation>已消失：先前的抓取发现过此页面，现在已不存在。</translation>
    </message>
    <message>
        <source>No longer linked: the earlier crawl found this page, and nothing leads to it any more.</source>
        <translation>不再被链接：先前的抓取发现过此页面，现在没有任何链接指向它。</translation>
    </message>
    <message>
        <source>Gone pages and pages no longer linked</source>
        <translation>已消失的页面和不再被链接的页面</translation>
    </message>
    <message>
        <source>Modified pages first</source>
        <translation>优先抓取已修改的页面</translation>
    </message>
    <message>
        <source>Crawl a&amp;gain…</source>
        <translation>重新抓取(&amp;G)…</translation>
    </message>
    <message>
        <source>On Windows, Gossamer cannot start a browser yet; it does so on Linux and macOS.</source>
        <translation>Gossamer 目前无法在 Windows 上启动浏览器；在 Linux 和 macOS 上可以。</translation>
    </message>
    <message>
        <source>Say how to notify: --desktop, --email, --webhook or a program.</source>
        <translation>请指明如何通知：--desktop、--email、--webhook 或一个程序。</translation>
    </message>
    <message>
        <source>The outbox {path} is damaged; move it elsewhere, and Gossamer creates a new one.</source>
        <translation>发件箱 {path} 已损坏；请将其移走，届时会新建一个。</translation>
    </message>
    <message>
        <source>The outbox {path} cannot be written ({reason}); check its folder.</source>
        <translation>无法写入发件箱 {path}（{reason}）；请检查其所在文件夹。</translation>
    </message>
    <message>
        <source>no response within {seconds:g} s</source>
        <translation>{seconds:g} 秒内没有响应</translation>
    </message>
    <message>
        <source>the certificate of the server is not valid</source>
        <translation>服务器证书无效</translation>
    </message>
    <message>
        <source>no connection: {reason}</source>
        <translation>无法连接：{reason}</translation>
    </message>
    <message>
        <source>the server redirects (status {status}); name the new address</source>
        <translation>服务器重定向（状态 {status}）；请填写新地址</translation>
    </message>
    <message>
        <source>the server returned status {status}</source>
        <translation>服务器返回状态码 {status}</translation>
    </message>
    <message>
        <source>tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, local:4 for four nodes here, or the name of a cluster; empty: this computer.</source>
        <translation>Dask 调度器的 tcp://HOST:PORT 或 tls://HOST:PORT，或用 local:4 表示本机上的四个节点，或集群的名称；留空：本机。</translation>
    </message>
    <message>
        <source>desktop notification</source>
        <translation>桌面通知</translation>
    </message>
    <message>
        <source>e-mail to {address}</source>
        <translation>发送至 {address} 的邮件</translation>
    </message>
    <message>
        <source>webhook {host}</source>
        <translation>Webhook {host}</translation>
    </message>
    <message>
        <source>command {program}</source>
        <translation>命令 {program}</translation>
    </message>
    <message>
        <source>Name the program to start, with its arguments.</source>
        <translation>请指明要启动的程序及其参数。</translation>
    </message>
    <message>
        <source>An argument of the command contains a character that is not allowed.</source>
        <translation>命令的某个参数含有不允许的字符。</translation>
    </message>
    <message>
        <source>{text!r} is not a mail server; write smtps://USER@HOST or smtp://USER@HOST:PORT, without the password.</source>
        <translation>{text!r} 不是邮件服务器；请写作 smtps://USER@HOST 或 smtp://USER@HOST:PORT，不含密码。</translation>
    </message>
    <message>
        <source>Mail is sent unencrypted to this machine alone; write smtp:// or smtps:// for {host}.</source>
        <translation>未加密的邮件只能发送到本机；对于 {host}，请使用 smtp:// 或 smtps://。</translation>
    </message>
    <message>
        <source>{address!r} is not an e-mail address.</source>
        <translation>{address!r} 不是电子邮件地址。</translation>
    </message>
    <message>
        <source>{url!r} is not an address for a webhook; write https://…</source>
        <translation>{url!r} 不是 Webhook 地址；请写作 https://…</translation>
    </message>
    <message>
        <source>{program} cannot be started: {reason}</source>
        <translation>无法启动 {program}：{reason}</translation>
    </message>
    <message>
        <source>{program} ran for over {seconds:g} s</source>
        <translation>{program} 运行超过 {seconds:g} 秒</translation>
    </message>
    <message>
        <source>{program} ended with exit code {code}: {output}</source>
        <translation>{program} 已结束，退出码为 {code}：{output}</translation>
    </message>
    <message>
        <source>The crawl has ended</source>
        <translation>抓取已结束</translation>
    </message>
    <message>
        <source>An issue has appeared</source>
        <translation>出现了问题</translation>
    </message>
    <message>
        <source>More than so many errors</source>
        <translation>错误超过一定数量</translation>
    </message>
    <message>
        <source>A page has changed</source>
        <translation>页面有变化</translation>
    </message>
    <message>
        <source>A robots.txt has changed</source>
        <translation>robots.txt 有变化</translation>
    </message>
    <message>
        <source>A sitemap has changed</source>
        <translation>站点地图有变化</translation>
    </message>
    <message>
        <source>A certificate ends soon</source>
        <translation>证书即将到期</translation>
    </message>
    <message>
        <source>A page has changed: {pattern}</source>
        <translation>页面有变化：{pattern}</translation>
    </message>
    <message>
        <source>A certificate ends within {days} days</source>
        <translation>证书在 {days} 天内到期</translation>
    </message>
    <message>
        <source>There is no condition {name!r}; there are {names}.</source>
        <translation>没有条件 {name!r}；可用的有 {names}。</translation>
    </message>
    <message>
        <source>A crawl has ended as {names}.</source>
        <translation>抓取的结束方式为 {names}。</translation>
    </message>
    <message>
        <source>The priority of an issue is {names}.</source>
        <translation>问题的优先级为 {names}。</translation>
    </message>
    <message>
        <source>{text!r} is not a number from 0 to {largest}.</source>
        <translation>{text!r} 不是 0 到 {largest} 之间的数字。</translation>
    </message>
    <message>
        <source>Say which pages: page:PATTERN, a regular expression for addresses.</source>
        <translation>请指明哪些页面：page:PATTERN，即匹配网址的正则表达式。</translation>
    </message>
    <message>
        <source>A pattern has at most {count} characters.</source>
        <translation>模式最多 {count} 个字符。</translation>
    </message>
    <message>
        <source>{text!r} is too much: this condition takes no argument.</source>
        <translation>{text!r} 是多余的：此条件没有参数。</translation>
    </message>
    <message>
        <source>Not delivered: {channel}: {problem}; see &apos;gossamer notify outbox&apos;.</source>
        <translation>未送达：{channel}：{problem}；请查看 &apos;gossamer notify outbox&apos;。</translation>
    </message>
    <message>
        <source>this system shows no notifications</source>
        <translation>此系统不显示通知</translation>
    </message>
    <message>
        <source>the system shows no notifications now</source>
        <translation>系统目前不显示通知</translation>
    </message>
    <message>
        <source>no program shows notifications here: {reason}</source>
        <translation>此处没有显示通知的程序：{reason}</translation>
    </message>
    <message>
        <source>there is no desktop session to show it in</source>
        <translation>没有可显示通知的桌面会话</translation>
    </message>
    <message>
        <source>{first} (and {count} more)</source>
        <translation>{first}（另有 {count} 项）</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>…… 另有 {count} 项</translation>
    </message>
    <message>
        <source>URLs: {urls}, pages: {pages}, errors: {errors}. Project: {project}</source>
        <translation>网址：{urls}，页面：{pages}，错误：{errors}。项目：{project}</translation>
    </message>
    <message>
        <source>Crawls that are left out here: {count}</source>
        <translation>此处略去的抓取：{count}</translation>
    </message>
    <message>
        <source>no password is stored for {user}; add the rule again</source>
        <translation>没有为 {user} 保存的密码；请重新添加规则</translation>
    </message>
    <message>
        <source>the mail server refuses the recipient: {reply}</source>
        <translation>邮件服务器拒绝收件人：{reply}</translation>
    </message>
    <message>
        <source>the mail server refuses user or password: {reply}</source>
        <translation>邮件服务器拒绝用户名或密码：{reply}</translation>
    </message>
    <message>
        <source>the mail server lacks what is needed: {reason}</source>
        <translation>邮件服务器缺少所需功能：{reason}</translation>
    </message>
    <message>
        <source>the mail server returned an error: {reply}</source>
        <translation>邮件服务器返回错误：{reply}</translation>
    </message>
    <message>
        <source>the certificate of the mail server is not valid</source>
        <translation>邮件服务器证书无效</translation>
    </message>
    <message>
        <source>The crawl has finished</source>
        <translation>抓取已完成</translation>
    </message>
    <message>
        <source>The crawl has failed</source>
        <translation>抓取失败</translation>
    </message>
    <message>
        <source>The crawl has paused by itself</source>
        <translation>抓取已自行暂停</translation>
    </message>
    <message>
        <source>The crawl has finished or failed</source>
        <translation>抓取已完成或失败</translation>
    </message>
    <message>
        <source>The crawl has finished or paused by itself</source>
        <translation>抓取已完成或自行暂停</translation>
    </message>
    <message>
        <source>The crawl has failed or paused by itself</source>
        <translation>抓取已失败或自行暂停</translation>
    </message>
    <message>
        <source>An issue of high priority has appeared</source>
        <translation>出现了高优先级的问题</translation>
    </message>
    <message>
        <source>An issue of medium or high priority has appeared</source>
        <translation>出现了中或高优先级的问题</translation>
    </message>
    <message>
        <source>An issue of any priority has appeared</source>
        <translation>出现了任意优先级的问题</translation>
    </message>
    <message>
        <source>More errors than {count}</source>
        <translation>错误数超过 {count}</translation>
    </message>
    <message>
        <source>Issues have appeared</source>
        <translation>出现了问题</translation>
    </message>
    <message>
        <source>There are issues</source>
        <translation>存在问题</translation>
    </message>
    <message>
        <source>Errors: {errors} (4xx: {client}, 5xx: {server}, no response: {none})</source>
        <translation>错误：{errors}（4xx：{client}，5xx：{server}，无响应：{none}）</translation>
    </message>
    <message>
        <source>Pages have changed</source>
        <translation>页面有变化</translation>
    </message>
    <message>
        <source>robots.txt has changed</source>
        <translation>robots.txt 有变化</translation>
    </message>
    <message>
        <source>Sitemaps have changed</source>
        <translation>站点地图有变化</translation>
    </message>
    <message>
        <source>Certificates end soon or have ended</source>
        <translation>证书即将到期或已到期</translation>
    </message>
    <message>
        <source>Give the rule a name of at most {count} characters.</source>
        <translation>请为规则指定最多 {count} 个字符的名称。</translation>
    </message>
    <message>
        <source>Say when to notify: --when CONDITION.</source>
        <translation>请指明何时通知：--when CONDITION。</translation>
    </message>
    <message>
        <source>The interval of a rule is at most 30 days.</source>
        <translation>规则的间隔最长 30 天。</translation>
    </message>
    <message>
        <source>Messages are in {names}.</source>
        <translation>消息的语言为 {names}。</translation>
    </message>
    <message>
        <source>{path} was made by a newer Gossamer; update Gossamer.</source>
        <translation>{path} 由更新版本的 Gossamer 创建；请更新 Gossamer。</translation>
    </message>
    <message>
        <source>There is a rule {name!r} already; choose another name, or use --replace.</source>
        <translation>已有规则 {name!r}；请另选名称，或使用 --replace。</translation>
    </message>
    <message>
        <source>There are {count} rules; remove some first.</source>
        <translation>已有 {count} 条规则；请先移除一些。</translation>
    </message>
    <message>
        <source>There is no rule {name!r}, and there are no other rules.</source>
        <translation>没有规则 {name!r}，也没有其他规则。</translation>
    </message>
    <message>
        <source>There is no rule {name!r}; there are {names}.</source>
        <translation>没有规则 {name!r}；现有 {names}。</translation>
    </message>
    <message>
        <source>{path} cannot be read or written ({reason}); check its folder.</source>
        <translation>无法读取或写入 {path}（{reason}）；请检查其所在文件夹。</translation>
    </message>
    <message>
        <source>This is a test of the rule {rule}</source>
        <translation>这是规则 {rule} 的测试</translation>
    </message>
    <message>
        <source>no secret is stored for this webhook; add the rule again</source>
        <translation>没有为此 Webhook 保存的密钥；请重新添加规则</translation>
    </message>
    <message>
        <source>{new:,} new, {missing:,} missing, {changed:,} changed</source>
        <translation>新增 {new:,} 个，缺失 {missing:,} 个，更改 {changed:,} 个</translation>
    </message>
    <message>
        <source>{name!r} is not a valid name of a schedule; use at most {most} characters that names of files may have.</source>
        <translation>{name!r} 不是有效的计划名称；最多可用 {most} 个字符，且须为文件名允许的字符。</translation>
    </message>
    <message>
        <source>A schedule named {name} already exists; choose another name, use --replace, or remove that first.</source>
        <translation>已有名为 {name} 的计划；请换一个名称、使用 --replace，或先将其删除。</translation>
    </message>
    <message>
        <source>Since {path}: {changes}.</source>
        <translation>与 {path} 相比：{changes}。</translation>
    </message>
    <message>
        <source>Schedules are being changed by another window or command; try again in a moment.</source>
        <translation>另一个窗口或命令正在更改定时抓取；请稍后再试。</translation>
    </message>
    <message>
        <source>The filter {name!r} was saved by a newer Gossamer; update Gossamer to use it.</source>
        <translation>筛选 {name!r} 由更新版本的 Gossamer 保存；请更新 Gossamer 后使用。</translation>
    </message>
    <message>
        <source>The filter {name!r} is about {address}, which this crawl does not know.</source>
        <translation>筛选 {name!r} 涉及 {address}，而此次抓取中没有它。</translation>
    </message>
    <message>
        <source>There is no saved filter {name!r}: none is saved yet.</source>
        <translation>没有已保存的筛选 {name!r}：尚未保存任何筛选。</translation>
    </message>
    <message>
        <source>There is no saved filter {name!r}; there are: {names}.</source>
        <translation>没有已保存的筛选 {name!r}；现有：{names}。</translation>
    </message>
    <message>
        <source>Sched&amp;ules…</source>
        <translation>定时抓取(&amp;U)…</translation>
    </message>
    <message>
        <source>Have sites crawled every day or every week</source>
        <translation>每天或每周抓取网站</translation>
    </message>
    <message>
        <source>Notifications…</source>
        <translation>通知…</translation>
    </message>
    <message>
        <source>Get a notification when a crawl ends or finds something</source>
        <translation>在抓取结束或有所发现时收到通知</translation>
    </message>
    <message>
        <source>The command has a quote without its end: {command}</source>
        <translation>命令中有未闭合的引号：{command}</translation>
    </message>
    <message>
        <source>the outbox was full</source>
        <translation>发件箱已满</translation>
    </message>
    <message>
        <source>{url} is a URL; crawl it first, or name a project file.</source>
        <translation>{url} 是网址；请先抓取该网站，或指定项目文件。</translation>
    </message>
    <message>
        <source>Several series have a rule {name!r}; say which: {choices}.</source>
        <translation>多个系列都有规则 {name!r}；请指明是哪一个：{choices}。</translation>
    </message>
    <message>
        <source>the server refuses connections</source>
        <translation>服务器拒绝连接</translation>
    </message>
    <message>
        <source>the server has closed the connection</source>
        <translation>服务器已关闭连接</translation>
    </message>
    <message>
        <source>there is no way to the server</source>
        <translation>无法到达服务器</translation>
    </message>
    <message>
        <source>there is no network</source>
        <translation>没有网络</translation>
    </message>
    <message>
        <source>the server does not respond</source>
        <translation>服务器没有响应</translation>
    </message>
    <message>
        <source>no server has that name</source>
        <translation>没有该名称的服务器</translation>
    </message>
    <message>
        <source>The pattern {pattern!r} has an invalid character; write it in UTF-8.</source>
        <translation>模式 {pattern!r} 含有无效字符；请使用 UTF-8 编码。</translation>
    </message>
    <message>
        <source>What the rule has left behind could not be removed. {reason}</source>
        <translation>无法移除该规则遗留的内容。{reason}</translation>
    </message>
    <message>
        <source>None of the start URLs responded. {url}: {reason}</source>
        <translation>抓取的起始地址均无响应。{url}：{reason}</translation>
    </message>
    <message>
        <source>{path} is not a PEM file, and reading PKCS#12 needs the package cryptography; install gossamer-core[pkcs12], or convert it: openssl pkcs12 -in FILE -out FILE.pem</source>
        <translation>{path} 不是 PEM 文件，而读取 PKCS#12 需要软件包 cryptography；请安装 gossamer-core[pkcs12]，或转换该文件：openssl pkcs12 -in FILE -out FILE.pem</translation>
    </message>
    <message>
        <source>Comparing links</source>
        <translation>正在比较链接</translation>
    </message>
    <message>
        <source>{text!r} is not TABLE=FILE; the tables are {known}.</source>
        <translation>{text!r} 不是 TABLE=FILE 的形式；可用的表有 {known}。</translation>
    </message>
    <message>
        <source>A table cannot be written to {name!r}: a report has all.</source>
        <translation>不能把单个表写入 {name!r}：报告包含全部内容。</translation>
    </message>
    <message>
        <source>Links that are broken now</source>
        <translation>现在失效的链接</translation>
    </message>
    <message>
        <source>Links that are broken no more</source>
        <translation>不再失效的链接</translation>
    </message>
    <message>
        <source>On page</source>
        <translation>所在页面</translation>
    </message>
    <message>
        <source>Link to</source>
        <translation>链接到</translation>
    </message>
    <message>
        <source>Links that visitors can follow: the targets that are gone, and those that came</source>
        <translation>访问者可以点击的链接：减少的目标和新增的目标</translation>
    </message>
    <message>
        <source>{path} cannot be removed ({reason}); check its folder.</source>
        <translation>无法移除 {path}（{reason}）；请检查其文件夹。</translation>
    </message>
    <message>
        <source>Nothing could be sent. {reason}</source>
        <translation>无法发送。{reason}</translation>
    </message>
    <message>
        <source>No crawl of this site knows {url}; use --force if it is still to come.</source>
        <translation>此网站的抓取中都没有 {url}；如果它将来才会出现，请使用 --force。</translation>
    </message>
    <message>
        <source>No crawl of this site knows {url}; did you mean {meant}? Use --force if it is still to come.</source>
        <translation>此网站的抓取中都没有 {url}；您是指 {meant} 吗？如果它将来才会出现，请使用 --force。</translation>
    </message>
    <message>
        <source>{file} is another crawl of this site.</source>
        <translation>{file} 是此网站的另一次抓取。</translation>
    </message>
    <message>
        <source>The project {path} is still there; delete it with &apos;gossamer delete&apos; first.</source>
        <translation>项目 {path} 仍然存在；请先用 &apos;gossamer delete&apos; 删除它。</translation>
    </message>
    <message>
        <source>{file} is a crawl of another site.</source>
        <translation>{file} 是另一个网站的抓取。</translation>
    </message>
    <message>
        <source>There is no project {path} any more.</source>
        <translation>项目 {path} 已不存在。</translation>
    </message>
    <message>
        <source>pages that now fail or redirect: {count:,}</source>
        <translation>现在失败或重定向的页面：{count:,}</translation>
    </message>
    <message>
        <source>new issues: {count:,}</source>
        <translation>新问题：{count:,}</translation>
    </message>
    <message>
        <source>{changes} ({more})</source>
        <translation>{changes}（{more}）</translation>
    </message>
    <message>
        <source>Probably moved to {url} ({reason}).</source>
        <translation>可能已移到 {url}（{reason}）。</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Pages that have probably moved</source>
        <translation>可能已移动的页面</translation>
    </message>
    <message>
        <source>Robots.txt and sitemaps</source>
        <translation>robots.txt 和站点地图</translation>
    </message>
    <message>
        <source>Its text has changed.</source>
        <translation>其内容已更改。</translation>
    </message>
    <message>
        <source>Its status was {before}, and is {after}.</source>
        <translation>其状态以前是 {before}，现在是 {after}。</translation>
    </message>
    <message>
        <source>It is new; URLs in it: {number}.</source>
        <translation>新增；其中的网址数：{number}。</translation>
    </message>
    <message>
        <source>It is gone; URLs in it before: {number}.</source>
        <translation>已不存在；以前其中的网址数：{number}。</translation>
    </message>
    <message>
        <source>It names as many URLs as before, but others.</source>
        <translation>其中的网址数与以前相同，但网址不同。</translation>
    </message>
    <message>
        <source>URLs in it: {before} before, {after} after.</source>
        <translation>其中的网址数：以前 {before}，现在 {after}。</translation>
    </message>
    <message>
        <source>{pages} pages moved from {before} to {after}. To compare them, map the addresses: --map {before}={after}</source>
        <translation>{pages} 个页面从 {before} 移到了 {after}。要比较它们，请映射地址：--map {before}={after}</translation>
    </message>
    <message>
        <source>Redirects there</source>
        <translation>重定向到那里</translation>
    </message>
    <message>
        <source>Same text</source>
        <translation>文本相同</translation>
    </message>
    <message>
        <source>Same title and H1</source>
        <translation>标题和 H1 相同</translation>
    </message>
    <message>
        <source>Same location in a folder that has moved</source>
        <translation>位于已移动文件夹中的相同位置</translation>
    </message>
    <message>
        <source>N&amp;otes…</source>
        <translation>备注(&amp;O)…</translation>
    </message>
    <message>
        <source>All notes about this site, its URLs, issues, days and crawls</source>
        <translation>关于此网站及其网址、问题、日期和抓取的全部备注</translation>
    </message>
    <message>
        <source>the mail server takes no user and password</source>
        <translation>邮件服务器不接受用户名和密码</translation>
    </message>
    <message>
        <source>the mail server replied: {reply}</source>
        <translation>邮件服务器的回应：{reply}</translation>
    </message>
    <message>
        <source>The value of {name} in the series file {path} cannot be used; set it again.</source>
        <translation>系列文件 {path} 中的 {name} 无法使用；请重新设置。</translation>
    </message>
    <message>
        <source>There is no list of releases to check: {variable} is set and names none. Get newer versions the way that you got this one.</source>
        <translation>没有可查询的版本列表：{variable} 已设置，但没有指定列表。新版本会以安装此版本的方式提供。</translation>
    </message>
    <message>
        <source>The response about newer versions cannot be read; try again later.</source>
        <translation>无法读取关于新版本的响应；请稍后重试。</translation>
    </message>
    <message>
        <source>The server does not list newer versions (status {status}); try again later.</source>
        <translation>服务器没有列出新版本（状态 {status}）；请稍后重试。</translation>
    </message>
    <message>
        <source>The server did not respond within {seconds:g} s; try again later.</source>
        <translation>服务器在 {seconds:g} 秒内没有响应；请稍后重试。</translation>
    </message>
    <message>
        <source>The list of releases cannot be reached; check the network, then try again.</source>
        <translation>无法访问版本列表；请检查网络，然后重试。</translation>
    </message>
    <message>
        <source>The response about newer versions is too large; try again later.</source>
        <translation>关于新版本的响应过大；请稍后重试。</translation>
    </message>
    <message>
        <source>Look for a &amp;newer version</source>
        <translation>检查新版本(&amp;N)</translation>
    </message>
    <message>
        <source>Look for newer versions &amp;daily</source>
        <translation>每天检查新版本(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Tutorial</source>
        <translation>教程(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;What is new</source>
        <translation>新增功能(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Report a problem</source>
        <translation>报告问题(&amp;R)</translation>
    </message>
    <message>
        <source>D&amp;ocumentation</source>
        <translation>文档(&amp;O)</translation>
    </message>
    <message>
        <source>Take the to&amp;ur</source>
        <translation>功能导览(&amp;U)</translation>
    </message>
    <message>
        <source>There is no field {name!r} to compare; similar names: {near}.</source>
        <translation>没有可比较的字段 {name!r}；相近的名称：{near}。</translation>
    </message>
    <message>
        <source>status {status}, redirects to {url}</source>
        <translation>状态 {status}，重定向到 {url}</translation>
    </message>
    <message>
        <source>New page</source>
        <translation>新页面</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Not applicable</source>
        <translation>不适用</translation>
    </message>
    <message>
        <source>Page missing</source>
        <translation>页面缺失</translation>
    </message>
    <message>
        <source>{program} ended with exit code {code} and no output</source>
        <translation>{program} 已结束，退出码为 {code}，没有输出</translation>
    </message>
    <message>
        <source>Start a new crawl of this URL, which transfers everything (Enter)</source>
        <translation>对此 URL 开始新的抓取，传输所有内容（Enter）</translation>
    </message>
    <message>
        <source>With the settings of this crawl: transfer only what changed since, and compare</source>
        <translation>使用本次抓取的设置：只传输此后有变化的内容，并进行对比</translation>
    </message>
    <message>
        <source>{name} is a crawl that has failed. {reason}</source>
        <translation>{name} 的抓取已失败。{reason}</translation>
    </message>
    <message>
        <source>The connection to the node {name} is not encrypted, and this crawl has passwords or cookies; use TLS, or --insecure-cluster.</source>
        <translation>与节点 {name} 的连接未加密，而本次抓取带有密码或 Cookie；请使用 TLS，或 --insecure-cluster。</translation>
    </message>
    <message>
        <source>The Dask scheduler at {address} cannot be reached.</source>
        <translation>无法连接位于 {address} 的 Dask 调度器。</translation>
    </message>
    <message>
        <source>The cluster at {address} has no worker; start one with &apos;dask worker {address}&apos;.</source>
        <translation>位于 {address} 的集群没有 worker；请用“dask worker {address}”启动一个。</translation>
    </message>
    <message>
        <source>No node of the cluster at {address} responds.</source>
        <translation>位于 {address} 的集群中没有节点响应。</translation>
    </message>
    <message>
        <source>The node {name} has no Gossamer; install gossamer[cluster] {ours} there.</source>
        <translation>节点 {name} 上没有 Gossamer；请在那里安装 gossamer[cluster] {ours}。</translation>
    </message>
    <message>
        <source>The node {name} has Gossamer {theirs}, not {ours}; install the same version there.</source>
        <translation>节点 {name} 上的 Gossamer 是 {theirs}，而不是 {ours}；请在那里安装同一版本。</translation>
    </message>
    <message>
        <source>A page worker could not be started on a node ({reason}).</source>
        <translation>无法在节点上启动页面进程（{reason}）。</translation>
    </message>
    <message>
        <source>The node {name} is lost.</source>
        <translation>节点 {name} 已丢失。</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Send secrets to the cluster unencrypted</source>
        <translation>向集群发送未加密的机密</translation>
    </message>
    <message>
        <source>Insecure cluster</source>
        <translation>不安全的集群</translation>
    </message>
    <message>
        <source>This crawl has passwords or cookies, and the connection to {cluster} is not encrypted; use a cluster with TLS (tls://), or --insecure-cluster to send them all the same.</source>
        <translation>本次抓取带有密码或 Cookie，而与 {cluster} 的连接未加密；请使用带 TLS 的集群（tls://），或用 --insecure-cluster 仍然发送。</translation>
    </message>
    <message>
        <source>A page of the earlier crawl, waiting to be checked.</source>
        <translation>先前抓取的页面，等待检查。</translation>
    </message>
    <message>
        <source>Missing since the last crawl</source>
        <translation>上次抓取后消失</translation>
    </message>
    <message>
        <source>The secrets in {path} cannot be read; correct the file, or remove it and enter them again.</source>
        <translation>无法读取 {path} 中的机密；请更正该文件，或将其删除后重新输入。</translation>
    </message>
    <message>
        <source>{path} belongs to another user, so its secrets are not used; remove it.</source>
        <translation>{path} 属于其他用户，因此不使用其中的机密；请将其删除。</translation>
    </message>
    <message>
        <source>Others can read {path}, so its secrets are not used. Run &apos;chmod 600 {path}&apos;, and change the secrets if somebody may have seen them.</source>
        <translation>其他人可以读取 {path}，因此不使用其中的机密。请运行 &apos;chmod 600 {path}&apos;；如果可能有人看到过，请更换这些机密。</translation>
    </message>
    <message>
        <source>in the file {path}, which only you can read</source>
        <translation>在只有您可以读取的文件 {path} 中</translation>
    </message>
    <message>
        <source>in the system keyring</source>
        <translation>在系统密钥环中</translation>
    </message>
    <message>
        <source>The system keyring is missing or locked, so the password was not stored; you will be asked for it again. &apos;gossamer secrets file&apos; stores passwords in a file that only you can read.</source>
        <translation>系统密钥环不存在或已锁定，因此没有保存密码；下次会再次询问。&apos;gossamer secrets file&apos; 会把密码保存在只有您可以读取的文件中。</translation>
    </message>
    <message>
        <source>The system keyring is missing or locked; unlock it, and messages are sent then. Without one, run &apos;gossamer secrets file&apos; and add the rule again.</source>
        <translation>系统密钥环不存在或已锁定；解锁后即会发送消息。没有密钥环时，请运行 &apos;gossamer secrets file&apos;，然后重新添加规则。</translation>
    </message>
    <message>
        <source>The system keyring is missing or locked; unlock it and try again. Without one, &apos;gossamer secrets file&apos; stores secrets in a file that only you can read.</source>
        <translation>系统密钥环不存在或已锁定；请解锁后重试。没有密钥环时，&apos;gossamer secrets file&apos; 会把机密保存在只有您可以读取的文件中。</translation>
    </message>
    <message>
        <source>The system keyring is missing or locked, so secrets stay in {path}.</source>
        <translation>系统密钥环不存在或已锁定，因此机密仍保留在 {path} 中。</translation>
    </message>
    <message>
        <source>Belongs to another shard of this crawl, which fetches it.</source>
        <translation>属于本次抓取的另一个分片，由该分片请求。</translation>
    </message>
    <message>
        <source>{path} is shard {number} of {shards} of one crawl, which goes on as a whole: resume the folder of the shards instead.</source>
        <translation>{path} 是某次抓取的第 {number} 个分片（共 {shards} 个），该抓取只能整体继续：请改为恢复分片所在的文件夹。</translation>
    </message>
    <message>
        <source>{name}: {count}</source>
        <translation>{name}：{count}</translation>
    </message>
    <message>
        <source>{name}: +{count}</source>
        <translation>{name}：+{count}</translation>
    </message>
    <message>
        <source>{name}: +{count} (on new pages: {new})</source>
        <translation>{name}：+{count}（新页面：{new}）</translation>
    </message>
    <message>
        <source>{url} ({what})</source>
        <translation>{url}（{what}）</translation>
    </message>
    <message>
        <source>issues found or gone</source>
        <translation>问题出现或消失</translation>
    </message>
    <message>
        <source>its text has changed</source>
        <translation>内容有变化</translation>
    </message>
    <message>
        <source>status {before} → {after}</source>
        <translation>状态 {before} → {after}</translation>
    </message>
    <message>
        <source>The rule {name!r} has been changed meanwhile; look at it, and try again.</source>
        <translation>规则 {name!r} 在此期间已被更改；请查看后重试。</translation>
    </message>
    <message>
        <source>The notification rule {name!r} looks at sitemaps, and this schedule reads none. To have it read them, add it again on the command line with --use-sitemaps and --replace.</source>
        <translation>通知规则 {name!r} 关注网站地图，而此计划不读取任何网站地图。要让它读取，请在命令行中使用 --use-sitemaps 和 --replace 重新添加。</translation>
    </message>
    <message>
        <source>Files of the archive {path} are missing. If the folder itself is still there, the crawl goes on without them.</source>
        <translation>存档 {path} 中的文件丢失。如果文件夹本身仍在，抓取将在没有这些文件的情况下继续。</translation>
    </message>
    <message>
        <source>Line {number} is not a row of a table ({why}); save it as CSV.</source>
        <translation>第 {number} 行不是表格的行（{why}），请另存为 CSV。</translation>
    </message>
    <message>
        <source>{text} is not a pair; write the old address, a comma, and the new one.</source>
        <translation>{text} 不是一对网址，请依次写出旧网址、逗号和新网址。</translation>
    </message>
    <message>
        <source>{text} is not a URL; write one such as https://example.com/page.</source>
        <translation>{text} 不是网址，请写成 https://example.com/page 这样。</translation>
    </message>
    <message>
        <source>{text} is a path; say of which site: --base https://www.example.com/.</source>
        <translation>{text} 是路径，请指明属于哪个网站：--base https://www.example.com/。</translation>
    </message>
    <message>
        <source>A table cannot be written to {name!r}; end the file name with {known}.</source>
        <translation>表格无法写入 {name!r}，请让文件名以 {known} 结尾。</translation>
    </message>
    <message>
        <source>In the details tab Spelling</source>
        <translation>在详情的“拼写”选项卡中</translation>
    </message>
    <message>
        <source>the node was lost</source>
        <translation>节点已丢失</translation>
    </message>
    <message>
        <source>Parquet files need the library pyarrow, which is not installed; get Gossamer with it by pip install &apos;gossamer-core[parquet]&apos; in a virtual environment, or choose another format.</source>
        <translation>Parquet 文件需要 pyarrow 库，但它尚未安装；请在虚拟环境中用 pip install &apos;gossamer-core[parquet]&apos; 安装带有它的 Gossamer，或选择其他格式。</translation>
    </message>
    <message>
        <source>A cluster needs Dask, which is not installed; get Gossamer with it by pip install &apos;gossamer-core[cluster]&apos; in a virtual environment, or crawl on this machine alone.</source>
        <translation>集群需要 Dask，但它尚未安装；请在虚拟环境中用 pip install &apos;gossamer-core[cluster]&apos; 安装带有它的 Gossamer，或只在本机上抓取。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {why}; check its name.</source>
        <translation>无法读取 {path}：{why}，请检查文件名。</translation>
    </message>
    <message>
        <source>A crawl can have 1 to {most} shards, not {shards}.</source>
        <translation>一次抓取可以有 1 到 {most} 个分片，不能是 {shards} 个。</translation>
    </message>
    <message>
        <source>{folder} does not hold all shards of a crawl; restore the file {name}.</source>
        <translation>{folder} 中没有一次抓取的全部分片；请恢复文件 {name}。</translation>
    </message>
    <message>
        <source>{path} is not a shard of a crawl; name the files of its shards.</source>
        <translation>{path} 不是某次抓取的分片；请指定其分片文件。</translation>
    </message>
    <message>
        <source>Name the files of all shards of a crawl.</source>
        <translation>请指定一次抓取的所有分片文件。</translation>
    </message>
    <message>
        <source>{path} and {other} are shards of different crawls.</source>
        <translation>{path} 和 {other} 是不同抓取的分片。</translation>
    </message>
    <message>
        <source>{path} and {other} are the same shard; name one of them.</source>
        <translation>{path} 和 {other} 是同一个分片；请只指定其中一个。</translation>
    </message>
    <message>
        <source>Not all shards of the crawl are named; add shard {missing} of {shards}.</source>
        <translation>没有指定该抓取的全部分片；请加上第 {missing} 个分片（共 {shards} 个）。</translation>
    </message>
    <message>
        <source>Languages and addresses that a page names: those that are gone, and those that came</source>
        <translation>页面所列的语言和网址：消失的与新增的</translation>
    </message>
    <message>
        <source>Whoever can read the connection gets the passwords and cookies of the crawl.</source>
        <translation>能读取该连接的人会得到本次抓取的密码和 Cookie。</translation>
    </message>
    <message>
        <source>Chec&amp;k redirects…</source>
        <translation>检查重定向(&amp;K)…</translation>
    </message>
    <message>
        <source>Check a table of old and new addresses, as for a migration</source>
        <translation>按旧网址和新网址的表格逐一检查，例如网站迁移时</translation>
    </message>
    <message>
        <source>{name} is a workbook; save its sheet as CSV.</source>
        <translation>{name} 是工作簿；请将其中的工作表另存为 CSV。</translation>
    </message>
    <message>
        <source>{name} has no addresses; write an old and a new one in each row.</source>
        <translation>{name} 中没有网址；请在每行写一个旧网址和一个新网址。</translation>
    </message>
    <message>
        <source>those of best practices</source>
        <translation>其中属于最佳实践的</translation>
    </message>
    <message>
        <source>HTTP status; NULL without a usable response</source>
        <translation>HTTP 状态码；没有可用响应时为 NULL</translation>
    </message>
    <message>
        <source>the reason phrase after the status, as sent</source>
        <translation>状态码之后的原因短语，按原样</translation>
    </message>
    <message>
        <source>problems of a response that was used anyway: [codes](#warnings), space-separated, such as `size-limit duplicate-content-length`; NULL for none</source>
        <translation>仍被采用的响应所存在的问题：[代码](#warnings)，以空格分隔，例如 `size-limit duplicate-content-length`；没有则为 NULL</translation>
    </message>
    <message>
        <source>1 a 3xx status, 2 a Refresh header, 3 a `&lt;meta http-equiv=&quot;refresh&quot;&gt;`, 4 a script of the page; NULL if it is not a redirect</source>
        <translation>1 为 3xx 状态码，2 为 Refresh 标头，3 为 `&lt;meta http-equiv=&quot;refresh&quot;&gt;`，4 为页面脚本；不是重定向则为 NULL</translation>
    </message>
    <message>
        <source>the directives of X-Robots-Tag that apply to the crawler</source>
        <translation>X-Robots-Tag 中适用于本爬虫的指令</translation>
    </message>
    <message>
        <source>MIME type without parameters, in lower case</source>
        <translation>不含参数的 MIME 类型，小写</translation>
    </message>
    <message>
        <source>the encoding used to decode the body</source>
        <translation>解码正文所用的编码</translation>
    </message>
    <message>
        <source>size of the body as transferred</source>
        <translation>传输时正文的大小</translation>
    </message>
    <message>
        <source>size of all bodies received for what the rendered page loads, as transferred, without those that the crawl had received before; NULL if the page loads nothing</source>
        <translation>渲染后的页面所加载内容的传输大小总和，不含抓取此前已接收的内容；页面不加载任何内容时为 NULL</translation>
    </message>
    <message>
        <source>the server&apos;s time to the response headers, including connecting</source>
        <translation>服务器返回响应标头所用的时间，包括建立连接</translation>
    </message>
    <message>
        <source>the server&apos;s time to the last byte read</source>
        <translation>服务器返回到最后一个已读字节所用的时间</translation>
    </message>
    <message>
        <source>time of the response</source>
        <translation>响应的时间</translation>
    </message>
    <message>
        <source>more about the response or the failure: a [detail](#details)</source>
        <translation>关于响应或失败的更多信息：一条[详情](#details)</translation>
    </message>
    <message>
        <source>the Content-Type header as sent</source>
        <translation>Content-Type 标头，按原样</translation>
    </message>
    <message>
        <source>the version of HTTP in the status line, such as `1.1`</source>
        <translation>状态行中的 HTTP 版本，例如 `1.1`</translation>
    </message>
    <message>
        <source>the names of the cookies that it sets, separated by `; `</source>
        <translation>它设置的 cookie 的名称，以 `; ` 分隔</translation>
    </message>
    <message>
        <source>1 if it said something that no page before it had said, for the [trap limit](settings.md#sites-without-end); else 0</source>
        <translation>如果它包含此前任何页面都没有的内容则为 1，用于[陷阱上限](settings.md#sites-without-end)；否则为 0</translation>
    </message>
    <message>
        <source>a hash of 32 bits of what the page says outside of its links, the same for the same text, by which a recrawl knows it; NULL if it is not a page</source>
        <translation>页面链接以外内容的 32 位哈希值，文本相同则相同，重新抓取时据此识别；不是页面则为 NULL</translation>
    </message>
    <message>
        <source>of a recrawl, how the response compares with that of the earlier project: 1 the server says that it is not modified (304), 2 it was not due and not requested, 3 fetched and the same, 4 fetched and different, 5 the earlier project has none; NULL otherwise</source>
        <translation>重新抓取时，与早先项目相比的响应：1 服务器表示未修改（304），2 尚未到期、未请求，3 已获取且相同，4 已获取且不同，5 早先项目中没有；其他情况为 NULL</translation>
    </message>
    <message>
        <source>of a recrawl, the time of the first response of this series with the same content; NULL otherwise</source>
        <translation>重新抓取时，本系列中首次出现相同内容的响应时间；其他情况为 NULL</translation>
    </message>
    <message>
        <source>the target of a redirect, resolved</source>
        <translation>重定向的目标，已解析为完整网址</translation>
    </message>
    <message>
        <source>the Last-Modified header as ISO 8601 in UTC</source>
        <translation>Last-Modified 标头，以 ISO 8601 的 UTC 时间表示</translation>
    </message>
    <message>
        <source>number of attempts up to this response</source>
        <translation>得到此响应所用的尝试次数</translation>
    </message>
    <message>
        <source>number of links of kinds 1, 2 and 3 on the page</source>
        <translation>页面上类型 1、2、3 的链接数</translation>
    </message>
    <message>
        <source>PageRank over internal followed links, on a logarithmic scale from 0 to 100</source>
        <translation>按内部的可跟踪链接计算的 PageRank，对数刻度，0 到 100</translation>
    </message>
    <message>
        <source>number of hyperlinks on the page to internal URLs</source>
        <translation>页面上指向内部网址的超链接数</translation>
    </message>
    <message>
        <source>number of internal URLs that they lead to</source>
        <translation>这些链接指向的内部网址数</translation>
    </message>
    <message>
        <source>number of hyperlinks on the page to external URLs</source>
        <translation>页面上指向外部网址的超链接数</translation>
    </message>
    <message>
        <source>number of external URLs that they lead to</source>
        <translation>这些链接指向的外部网址数</translation>
    </message>
    <message>
        <source>number of rendered pages with hyperlinks to it that are not in their HTML</source>
        <translation>有多少个渲染后的页面包含指向它、但不在其 HTML 中的超链接</translation>
    </message>
    <message>
        <source>number of internal URLs that hyperlinks lead to which are not in its HTML</source>
        <translation>不在其 HTML 中的超链接所指向的内部网址数</translation>
    </message>
    <message>
        <source>number of external URLs, likewise</source>
        <translation>外部网址数，计法相同</translation>
    </message>
    <message>
        <source>how much of its text the most similar page shares, in percent</source>
        <translation>最相似的页面与其共有的文本比例，以百分比表示</translation>
    </message>
    <message>
        <source>number of pages with nearly the same text</source>
        <translation>文本几乎相同的页面数</translation>
    </message>
    <message>
        <source>the most similar of them</source>
        <translation>其中最相似的页面</translation>
    </message>
    <message>
        <source>the first page with the same content, if it is another one</source>
        <translation>内容相同的第一个页面（如果不是它自己）</translation>
    </message>
    <message>
        <source>the tokens of the `rel` attribute</source>
        <translation>`rel` 属性的各个标记</translation>
    </message>
    <message>
        <source>where the link is: an element, an element and attribute, or a header</source>
        <translation>链接所在之处：元素、元素及其属性，或标头</translation>
    </message>
    <message>
        <source>the URL&apos;s fragment, such as `#top`; `#` if it is empty, NULL if there is none</source>
        <translation>网址的片段，例如 `#top`；为空则为 `#`，没有则为 NULL</translation>
    </message>
    <message>
        <source>a short CSS path to the link; NULL for none</source>
        <translation>指向链接的简短 CSS 路径；没有则为 NULL</translation>
    </message>
    <message>
        <source>First Contentful Paint; NULL if it was not measured, or nothing was painted</source>
        <translation>首次内容绘制（FCP）；未测量或没有绘制任何内容时为 NULL</translation>
    </message>
    <message>
        <source>Largest Contentful Paint, likewise</source>
        <translation>最大内容绘制（LCP），同上</translation>
    </message>
    <message>
        <source>Cumulative Layout Shift: the largest session window; NULL if it was not measured</source>
        <translation>累积布局偏移（CLS）：取最大的会话窗口；未测量时为 NULL</translation>
    </message>
    <message>
        <source>Total Blocking Time: by how much tasks take longer than 50 ms, from First Contentful Paint on; NULL if it was not measured</source>
        <translation>总阻塞时间（TBT）：从首次内容绘制起，各任务超出 50 毫秒的时间之和；未测量时为 NULL</translation>
    </message>
    <message>
        <source>number of elements of the rendered page</source>
        <translation>渲染后页面的元素数</translation>
    </message>
    <message>
        <source>bytes transferred for the page and all that it loads</source>
        <translation>页面及其加载的全部内容的传输字节数</translation>
    </message>
    <message>
        <source>those of them for scripts</source>
        <translation>其中脚本的</translation>
    </message>
    <message>
        <source>those of them for style sheets</source>
        <translation>其中样式表的</translation>
    </message>
    <message>
        <source>those of them for images</source>
        <translation>其中图像的</translation>
    </message>
    <message>
        <source>those of them for fonts</source>
        <translation>其中字体的</translation>
    </message>
    <message>
        <source>number of requests to other registrable domains, made or not</source>
        <translation>对其他可注册域名的请求数，无论是否发出</translation>
    </message>
    <message>
        <source>bytes transferred from other registrable domains</source>
        <translation>来自其他可注册域名的传输字节数</translation>
    </message>
    <message>
        <source>number of links, buttons and fields that are too small and too close to others; NULL, as the following, for pages that were not rendered as a phone shows them</source>
        <translation>过小且与其他元素过近的链接、按钮和输入框的数量；页面未按手机方式渲染时为 NULL，以下各项同样如此</translation>
    </message>
    <message>
        <source>width of the content on the screen of a phone, in CSS pixels</source>
        <translation>手机屏幕上内容的宽度，以 CSS 像素表示</translation>
    </message>
    <message>
        <source>share of its characters that are less than 12 px high there, in percent</source>
        <translation>在手机上高度不足 12 像素的字符比例，以百分比表示</translation>
    </message>
    <message>
        <source>share of the screen on which something stays above the content, in percent</source>
        <translation>屏幕上始终被某个元素遮挡内容的比例，以百分比表示</translation>
    </message>
    <message>
        <source>the first `&lt;title&gt;` that is not empty</source>
        <translation>第一个非空的 `&lt;title&gt;`</translation>
    </message>
    <message>
        <source>the first `&lt;h1&gt;` that is not empty</source>
        <translation>第一个非空的 `&lt;h1&gt;`</translation>
    </message>
    <message>
        <source>the first `&lt;meta name=&quot;description&quot;&gt;` that is not empty</source>
        <translation>第一个非空的 `&lt;meta name=&quot;description&quot;&gt;`</translation>
    </message>
    <message>
        <source>the first `&lt;link rel=&quot;canonical&quot;&gt;` whose href is not empty, resolved, or as written if it is not a URL</source>
        <translation>第一个 href 非空的 `&lt;link rel=&quot;canonical&quot;&gt;`，已解析为完整网址；不是网址则按原样</translation>
    </message>
    <message>
        <source>the combined directives of `&lt;meta name=&quot;robots&quot;&gt;` and of those with the crawler&apos;s name</source>
        <translation>`&lt;meta name=&quot;robots&quot;&gt;` 与带有本爬虫名称的 meta 元素的指令合并</translation>
    </message>
    <message>
        <source>the `lang` attribute of `&lt;html&gt;`</source>
        <translation>`&lt;html&gt;` 的 `lang` 属性</translation>
    </message>
    <message>
        <source>words of the text that counts as content; NULL if it is not a page</source>
        <translation>算作内容的文本的字数；不是页面则为 NULL</translation>
    </message>
    <message>
        <source>the first 16 bytes of the SHA-256 hash of the decoded body</source>
        <translation>解码后正文的 SHA-256 哈希值的前 16 字节</translation>
    </message>
    <message>
        <source>the width of the title in a search result, in pixels</source>
        <translation>标题在搜索结果中的宽度，以像素表示</translation>
    </message>
    <message>
        <source>the second `&lt;title&gt;` that is not empty</source>
        <translation>第二个非空的 `&lt;title&gt;`</translation>
    </message>
    <message>
        <source>the width of the description in a search result, in pixels</source>
        <translation>描述在搜索结果中的宽度，以像素表示</translation>
    </message>
    <message>
        <source>the second `&lt;meta name=&quot;description&quot;&gt;` that is not empty</source>
        <translation>第二个非空的 `&lt;meta name=&quot;description&quot;&gt;`</translation>
    </message>
    <message>
        <source>the first `&lt;meta name=&quot;keywords&quot;&gt;` that is not empty</source>
        <translation>第一个非空的 `&lt;meta name=&quot;keywords&quot;&gt;`</translation>
    </message>
    <message>
        <source>the second `&lt;h1&gt;` that is not empty</source>
        <translation>第二个非空的 `&lt;h1&gt;`</translation>
    </message>
    <message>
        <source>the first `&lt;h2&gt;` that is not empty</source>
        <translation>第一个非空的 `&lt;h2&gt;`</translation>
    </message>
    <message>
        <source>the second `&lt;h2&gt;` that is not empty</source>
        <translation>第二个非空的 `&lt;h2&gt;`</translation>
    </message>
    <message>
        <source>levels of the headings that are not empty, in order, such as `1223`; at most 200</source>
        <translation>各非空标题的级别，按顺序排列，例如 `1223`；最多 200 个</translation>
    </message>
    <message>
        <source>the first `&lt;link rel=&quot;next&quot;&gt;`, resolved</source>
        <translation>第一个 `&lt;link rel=&quot;next&quot;&gt;`，已解析为完整网址</translation>
    </message>
    <message>
        <source>the first `&lt;link rel=&quot;prev&quot;&gt;`, resolved</source>
        <translation>第一个 `&lt;link rel=&quot;prev&quot;&gt;`，已解析为完整网址</translation>
    </message>
    <message>
        <source>the first rel=next of the Link headers, resolved</source>
        <translation>Link 标头中的第一个 rel=next，已解析为完整网址</translation>
    </message>
    <message>
        <source>the first rel=prev of the Link headers, resolved</source>
        <translation>Link 标头中的第一个 rel=prev，已解析为完整网址</translation>
    </message>
    <message>
        <source>the first `&lt;link rel=&quot;amphtml&quot;&gt;`, resolved</source>
        <translation>第一个 `&lt;link rel=&quot;amphtml&quot;&gt;`，已解析为完整网址</translation>
    </message>
    <message>
        <source>the first `&lt;link rel=&quot;alternate&quot;&gt;` for small screens by its media attribute</source>
        <translation>第一个按 media 属性用于小屏幕的 `&lt;link rel=&quot;alternate&quot;&gt;`</translation>
    </message>
    <message>
        <source>the first `&lt;meta http-equiv=&quot;refresh&quot;&gt;` outside of `noscript`, as written</source>
        <translation>`noscript` 之外的第一个 `&lt;meta http-equiv=&quot;refresh&quot;&gt;`，按原样</translation>
    </message>
    <message>
        <source>the first `&lt;meta name=&quot;viewport&quot;&gt;`</source>
        <translation>第一个 `&lt;meta name=&quot;viewport&quot;&gt;`</translation>
    </message>
    <message>
        <source>sentences in the text that counts as content</source>
        <translation>算作内容的文本的句子数</translation>
    </message>
    <message>
        <source>syllables in the text that counts as content, estimated by groups of vowels</source>
        <translation>算作内容的文本的音节数，按元音组估算</translation>
    </message>
    <message>
        <source>characters of the visible text of the body</source>
        <translation>正文可见文本的字符数</translation>
    </message>
    <message>
        <source>[flags](#markup) of the markup</source>
        <translation>标记的[标志](#markup)</translation>
    </message>
    <message>
        <source>[flags](#content) of text, links, forms and headers</source>
        <translation>文本、链接、表单和标头的[标志](#content)</translation>
    </message>
    <message>
        <source>[flags](#javascript) for how the rendered page differs from its HTML</source>
        <translation>渲染后的页面与其 HTML 有何不同的[标志](#javascript)</translation>
    </message>
    <message>
        <source>[flags](#directives) of its directives for robots</source>
        <translation>对爬虫的指令的[标志](#directives)</translation>
    </message>
    <message>
        <source>the types of its structured data items, each once, comma-separated</source>
        <translation>其结构化数据项的类型，每种一次，以逗号分隔</translation>
    </message>
    <message>
        <source>a sketch of the text that counts as content: 128 bytes; NULL without text</source>
        <translation>算作内容的文本的摘要：128 字节；没有文本则为 NULL</translation>
    </message>
    <message>
        <source>a hash of 16 bits of each distinct id and name that a fragment can lead to, rising; NULL for none</source>
        <translation>片段可以指向的各个不同的 id 和 name 的 16 位哈希值，升序；没有则为 NULL</translation>
    </message>
    <message>
        <source>the language of the text, as a code of ISO 639-1; NULL if it was not looked for</source>
        <translation>文本的语言，以 ISO 639-1 代码表示；未检测则为 NULL</translation>
    </message>
    <message>
        <source>the dictionary that the spelling was checked with, such as `en_US`; empty if there is none for the language of the page; NULL if spelling was not checked</source>
        <translation>检查拼写所用的词典，例如 `en_US`；没有该页面语言的词典则为空；未检查拼写则为 NULL</translation>
    </message>
    <message>
        <source>the language that LanguageTool checked the grammar in, such as `en-US`; NULL if it was not checked</source>
        <translation>LanguageTool 检查语法所用的语言，例如 `en-US`；未检查则为 NULL</translation>
    </message>
    <message>
        <source>[errors](#text-errors) of spelling and grammar, ignored ones too; NULL for none</source>
        <translation>拼写和语法的[错误](#text-errors)，包括已忽略的；没有则为 NULL</translation>
    </message>
    <message>
        <source>the directives of robots `&lt;meta&gt;` elements with the names of known crawlers, such as `googlebot: noindex; bingbot: nosnippet`; if the crawl goes by one of these names, also those for all `robots`, apart; NULL for none</source>
        <translation>带有已知爬虫名称的 `&lt;meta&gt;` 元素的指令，例如 `googlebot: noindex; bingbot: nosnippet`；如果抓取使用其中某个名称，还会另外列出针对所有 `robots` 的指令；没有则为 NULL</translation>
    </message>
    <message>
        <source>the ids of the rules of axe-core that the rendered page breaks, sorted, comma-separated; empty for none; NULL if it was not checked</source>
        <translation>渲染后的页面违反的 axe-core 规则的 id，已排序，以逗号分隔；没有则为空；未检查则为 NULL</translation>
    </message>
    <message>
        <source>why it was to be rendered: 1 all pages are, 2 its HTML needs scripts, 3 its HTML has little text and much script, 4 as a sample, 5 the sample of its section of the site differs from its HTML; NULL if there was no need</source>
        <translation>渲染的原因：1 渲染所有页面，2 其 HTML 需要脚本，3 其 HTML 文本少而脚本多，4 作为样本，5 网站该部分的样本与其 HTML 不同；不需要渲染则为 NULL</translation>
    </message>
    <message>
        <source>the address as scripts have left it, with its fragment; NULL if it is the same</source>
        <translation>脚本运行后的地址，含片段；相同则为 NULL</translation>
    </message>
    <message>
        <source>`title` of the HTML; NULL if it is the same, empty if it has none</source>
        <translation>HTML 的 `title`；相同则为 NULL，没有则为空</translation>
    </message>
    <message>
        <source>likewise `h1`</source>
        <translation>同上，`h1`</translation>
    </message>
    <message>
        <source>likewise `description`</source>
        <translation>同上，`description`</translation>
    </message>
    <message>
        <source>likewise `canonical`</source>
        <translation>同上，`canonical`</translation>
    </message>
    <message>
        <source>likewise `robots`</source>
        <translation>同上，`robots`</translation>
    </message>
    <message>
        <source>`word_count` of the HTML; NULL if it is the same</source>
        <translation>HTML 的 `word_count`；相同则为 NULL</translation>
    </message>
    <message>
        <source>number of hyperlinks that are not in the HTML</source>
        <translation>不在 HTML 中的超链接数</translation>
    </message>
    <message>
        <source>number of requests of the page, its frames and scripts</source>
        <translation>页面及其框架和脚本的请求数</translation>
    </message>
    <message>
        <source>those of them that were not made</source>
        <translation>其中未发出的</translation>
    </message>
    <message>
        <source>those of them without a usable response</source>
        <translation>其中没有可用响应的</translation>
    </message>
    <message>
        <source>number of errors that it wrote to the console of the browser</source>
        <translation>它写入浏览器控制台的错误数</translation>
    </message>
    <message>
        <source>number of warnings, likewise</source>
        <translation>警告数，计法相同</translation>
    </message>
    <message>
        <source>number of dialogs that scripts opened</source>
        <translation>脚本打开的对话框数</translation>
    </message>
    <message>
        <source>time until the browser had loaded it</source>
        <translation>浏览器加载完成所用的时间</translation>
    </message>
    <message>
        <source>time until it was read</source>
        <translation>到读取时所用的时间</translation>
    </message>
    <message>
        <source>1 checked for accessibility, 2 checked without the contrast of texts, which took too long, 3 the check failed, 4 there was no axe-core; NULL if it was not to be checked</source>
        <translation>1 已检查无障碍，2 已检查，但不含耗时过长的文本对比度，3 检查失败，4 没有 axe-core；无需检查则为 NULL</translation>
    </message>
    <message>
        <source>number of accessibility rules that it breaks; NULL if it was not checked</source>
        <translation>它违反的无障碍规则数；未检查则为 NULL</translation>
    </message>
    <message>
        <source>those of WCAG 2.0, level A</source>
        <translation>其中属于 WCAG 2.0 A 级的</translation>
    </message>
    <message>
        <source>those of WCAG 2.0, level AA</source>
        <translation>其中属于 WCAG 2.0 AA 级的</translation>
    </message>
    <message>
        <source>those of WCAG 2.0, level AAA</source>
        <translation>其中属于 WCAG 2.0 AAA 级的</translation>
    </message>
    <message>
        <source>those that WCAG 2.1 added, level A</source>
        <translation>其中由 WCAG 2.1 新增的 A 级</translation>
    </message>
    <message>
        <source>those that WCAG 2.1 added, level AA</source>
        <translation>其中由 WCAG 2.1 新增的 AA 级</translation>
    </message>
    <message>
        <source>those that WCAG 2.2 added, level AA</source>
        <translation>其中由 WCAG 2.2 新增的 AA 级</translation>
    </message>
    <message>
        <source>The Dask scheduler at {address} has no Gossamer; install gossamer[cluster] {ours} there.</source>
        <translation>Dask 调度器 {address} 上没有 Gossamer；请在那里安装 gossamer[cluster] {ours}。</translation>
    </message>
    <message>
        <source>Full-text search</source>
        <translation>全文搜索</translation>
    </message>
    <message>
        <source>Keeps the texts of pages to search for words in them: 2 to 4 KB per page.</source>
        <translation>保留网页的文本，以便在其中搜索词语：每个网页 2 到 4 KB。</translation>
    </message>
    <message>
        <source>Not in the archive, so nothing is known about it.</source>
        <translation>不在存档中，因此对它一无所知。</translation>
    </message>
    <message>
        <source>its content is in another archive</source>
        <translation>其内容在另一个存档中</translation>
    </message>
    <message>
        <source>its record in the archive is damaged</source>
        <translation>它在存档中的记录已损坏</translation>
    </message>
    <message>
        <source>the archive has no record of it</source>
        <translation>存档中没有它的记录</translation>
    </message>
    <message>
        <source>{path} does not exist.</source>
        <translation>{path} 不存在。</translation>
    </message>
    <message>
        <source>{path} is a damaged ZIP file; get it again.</source>
        <translation>{path} 是损坏的 ZIP 文件；请重新获取。</translation>
    </message>
    <message>
        <source>{path} has no WARC file inside, so it is not a WACZ archive.</source>
        <translation>{path} 中没有 WARC 文件，因此它不是 WACZ 存档。</translation>
    </message>
    <message>
        <source>Archives</source>
        <translation>存档</translation>
    </message>
    <message>
        <source>There is no HTML page in {archives}, so there is nothing to crawl.</source>
        <translation>{archives} 中没有 HTML 页面，因此没有可抓取的内容。</translation>
    </message>
    <message>
        <source>The cluster on this machine did not start; see the log, or crawl without a cluster.</source>
        <translation>本机上的集群未能启动；请查看日志，或者不用集群抓取。</translation>
    </message>
    <message>
        <source>No Dask scheduler responds at {address} ({reason}); start one with &apos;dask scheduler&apos;, or crawl on this computer alone.</source>
        <translation>{address} 没有 Dask 调度器响应（{reason}）；请用 “dask scheduler” 启动一个，或者只用本机抓取。</translation>
    </message>
    <message>
        <source>&quot;{text}&quot; is not a cluster; enter tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, local:N for N nodes on this machine, up to {most}, or a name from clusters.toml.</source>
        <translation>“{text}”不是集群；请输入 Dask 调度器的 tcp://HOST:PORT 或 tls://HOST:PORT，或用 local:N 表示本机上的 N 个节点（最多 {most} 个），或输入 clusters.toml 中的名称。</translation>
    </message>
    <message>
        <source>The names of clusters in {path} cannot be used: {why}</source>
        <translation>{path} 中的集群名称无法使用：{why}</translation>
    </message>
    <message>
        <source>The archive {path} is missing; put it back, or create an empty folder of that name to continue without its contents.</source>
        <translation>存档 {path} 不见了；请将其放回原处，或新建一个同名的空文件夹，不用其中原有的内容继续。</translation>
    </message>
    <message>
        <source>Hash Route</source>
        <translation>井号路由</translation>
    </message>
    <message>
        <source>Keep pages</source>
        <translation>保存页面</translation>
    </message>
    <message>
        <source>Keeps them in an archive beside the project, as the servers sent them. It is about as large as what the crawl downloads.</source>
        <translation>按服务器发送的原样存入项目旁的存档：大小约为抓取所下载的内容。</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>存档</translation>
    </message>
    <message>
        <source>What is kept</source>
        <translation>保存哪些内容</translation>
    </message>
    <message>
        <source>Images, style sheets, scripts and files are downloaded for it.</source>
        <translation>为此会下载图片、样式表、脚本和文件。</translation>
    </message>
    <message>
        <source>Pages and what they load</source>
        <translation>页面及其加载的内容</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Largest body kept</source>
        <translation>保存的正文上限</translation>
    </message>
    <message>
        <source>Larger bodies are cut off at this size.</source>
        <translation>超出时，存档只保存开头部分。</translation>
    </message>
    <message>
        <source>Keep secrets in the archive</source>
        <translation>在存档中保留机密</translation>
    </message>
    <message>
        <source>Whoever has the archive can then use the passwords and cookies of the crawl.</source>
        <translation>这样，拿到存档的人就能使用本次抓取的密码和 Cookie。</translation>
    </message>
    <message>
        <source>Crawl hash routes</source>
        <translation>抓取井号路由</translation>
    </message>
    <message>
        <source>What a link shows behind #/ or #! is a page of its own; search engines see one page.</source>
        <translation>链接中 #/ 或 #! 之后不同的内容各算一个页面；搜索引擎只看到一个页面。</translation>
    </message>
    <message>
        <source>Sitemaps are compared in crawls that read them: “{setting}” (--use-sitemaps), which is off by default.</source>
        <translation>只有读取站点地图的抓取才会比较站点地图：请启用“{setting}”（--use-sitemaps），默认为关闭。</translation>
    </message>
    <message>
        <source>The crawls of this site read no sitemaps, so a change of one is not seen; turn on “{setting}” (--use-sitemaps) and crawl again.</source>
        <translation>此网站的抓取不读取站点地图，因此看不到其变化；请启用“{setting}”（--use-sitemaps），然后重新抓取。</translation>
    </message>
    <message>
        <source>The project {path} is not there any more; if it was moved, say where it is: {command}</source>
        <translation>项目 {path} 已不在原处；如果它被移动了，请指出其现在的位置：{command}</translation>
    </message>
    <message>
        <source>{setting} cannot change by reading the archive again: which pages it lets through depends on the order in which servers respond. Crawl again to change it.</source>
        <translation>重新读取存档不能更改{setting}：它放行哪些页面取决于服务器响应的顺序。要更改它，请重新抓取。</translation>
    </message>
    <message>
        <source>Checking whether known links sign out or delete: {percent} %.</source>
        <translation>正在检查已知链接是否会退出登录或删除内容：{percent}%。</translation>
    </message>
    <message>
        <source>Write -{name}:word in place of -in:{name} word.</source>
        <translation>请写成 -{name}:word，而不是 -in:{name} word（word 是要搜索的词语）。</translation>
    </message>
    <message>
        <source>The value of the header {name!r} contains characters that are not Unicode text; enter it again.</source>
        <translation>请求头 {name!r} 的值含有不是 Unicode 文本的字符；请重新输入。</translation>
    </message>
    <message>
        <source>There is no word in {text!r}; search for letters, digits or emoji.</source>
        <translation>{text!r} 中没有词语；请搜索字母、数字或表情符号。</translation>
    </message>
    <message>
        <source>Keep the DOM of rendered pages</source>
        <translation>保存渲染后页面的 DOM</translation>
    </message>
    <message>
        <source>A user name, password, cookie or passphrase contains characters that are not Unicode text; enter it again.</source>
        <translation>用户名、密码、Cookie 或密码短语含有不是 Unicode 文本的字符；请重新输入。</translation>
    </message>
    <message>
        <source>As their scripts have left it. It takes about as much room as the pages.</source>
        <translation>即脚本运行后留下的内容。占用的空间与页面大致相同。</translation>
    </message>
    <message>
        <source>{setting}: it contains characters that are not Unicode text; enter it again.</source>
        <translation>{setting}：含有不是 Unicode 文本的字符；请重新输入。</translation>
    </message>
    <message>
        <source>channel of a newer Gossamer</source>
        <translation>较新版本 Gossamer 的通知渠道</translation>
    </message>
    <message>
        <source>the mail server offers no encryption by STARTTLS; try smtps://, or smtp+plain:// for a server on this computer</source>
        <translation>邮件服务器不支持 STARTTLS 加密；请改用 smtps://，本机上的服务器可用 smtp+plain://</translation>
    </message>
    <message>
        <source>The notification rules of the series {id} cannot be read ({reason}); &apos;gossamer series forget {id} --all&apos; removes them with the series.</source>
        <translation>无法读取系列 {id} 的通知规则（{reason}）；“gossamer series forget {id} --all”会将它们与该系列一并移除。</translation>
    </message>
    <message>
        <source>The notification rules in {path} cannot be read ({reason}); correct them, or remove the file and add them again.</source>
        <translation>无法读取 {path} 中的通知规则（{reason}）；请更正，或删除该文件并重新添加规则。</translation>
    </message>
    <message>
        <source>The notification rule {name!r} is invalid and notifies nobody; change or remove it. {reason}</source>
        <translation>通知规则 {name!r} 无效，不会发送通知；请更改或移除该规则。{reason}</translation>
    </message>
    <message>
        <source>It cannot be read ({reason}).</source>
        <translation>无法读取（{reason}）。</translation>
    </message>
    <message>
        <source>The tabs of the browser {path} die before they load a page; try another browser, or crawl without rendering.</source>
        <translation>浏览器 {path} 的标签页在加载页面之前就已终止；请改用其他浏览器，或者不渲染页面进行抓取。</translation>
    </message>
    <message>
        <source>The crawl was cancelled while its known links were checked for the login, so its settings and login are as before; change them again.</source>
        <translation>在为登录检查已知链接时抓取被取消，因此设置和登录均保持不变；请重新更改。</translation>
    </message>
    <message>
        <source>Logging in…</source>
        <translation>正在登录…</translation>
    </message>
    <message>
        <source>The new crawl has no page.</source>
        <translation>新的抓取没有任何页面。</translation>
    </message>
    <message>
        <source>{path} was not replaced: {reason}</source>
        <translation>未替换 {path}：{reason}</translation>
    </message>
    <message>
        <source>{url} redirects to {target}, outside this crawl; crawl that URL instead.</source>
        <translation>{url} 重定向到 {target}，不在此次抓取的范围内；请改为抓取该网址。</translation>
    </message>
    <message>
        <source>{sentence} ({detail})</source>
        <translation>{sentence}（{detail}）</translation>
    </message>
    <message>
        <source>Pages, logins and stored pages of this crawl open in the program {program}.</source>
        <translation>此次抓取的页面、登录和存档页面用程序 {program} 打开。</translation>
    </message>
    <message>
        <source>The query failed unexpectedly; see the log for details, and please report it.</source>
        <translation>查询意外失败；详情见日志，请报告此问题。</translation>
    </message>
    <message>
        <source>reads every row of {table}</source>
        <translation>读取 {table} 的每一行</translation>
    </message>
    <message>
        <source>finds rows of {table} at once, by {how}</source>
        <translation>通过 {how} 立即找到 {table} 的行</translation>
    </message>
    <message>
        <source>makes an index of {table} for this query alone</source>
        <translation>仅为此查询给 {table} 建立索引</translation>
    </message>
    <message>
        <source>join by url_id, source_id and destination_id instead of addresses: those have indexes</source>
        <translation>请用 url_id、source_id 和 destination_id 连接，不要用地址：前者有索引</translation>
    </message>
    <message>
        <source>with many rows that takes memory and time; filter first</source>
        <translation>行数很多时需要内存和时间；请先筛选</translation>
    </message>
    <message>
        <source>The query process ended unexpectedly, possibly for lack of memory; query less at once.</source>
        <translation>查询进程意外结束，可能是内存不足；请一次少查一些。</translation>
    </message>
    <message>
        <source>Which links lead to pages that do not work, and where are they?</source>
        <translation>哪些链接指向无法访问的页面，这些链接在哪里？</translation>
    </message>
    <message>
        <source>Which errors have the most links to them, so that they should be fixed first?</source>
        <translation>哪些错误的入链最多，因而应该最先修复？</translation>
    </message>
    <message>
        <source>Which links lead to redirects, and where should they lead instead?</source>
        <translation>哪些链接指向重定向，它们应改为指向哪里？</translation>
    </message>
    <message>
        <source>Which pages are most redirects led to?</source>
        <translation>重定向最多通向哪些页面？</translation>
    </message>
    <message>
        <source>Which titles do several indexable pages share?</source>
        <translation>哪些标题被多个可索引页面共用？</translation>
    </message>
    <message>
        <source>Which pages have the very same content under several addresses?</source>
        <translation>哪些页面以多个地址提供完全相同的内容？</translation>
    </message>
    <message>
        <source>Which indexable pages have few words?</source>
        <translation>哪些可索引页面的字数很少？</translation>
    </message>
    <message>
        <source>Which indexable pages that many pages link to have no description?</source>
        <translation>哪些被许多页面链接的可索引页面没有描述？</translation>
    </message>
    <message>
        <source>Which titles are wider than a search result shows?</source>
        <translation>哪些标题比搜索结果能显示的更宽？</translation>
    </message>
    <message>
        <source>Which indexable pages does only one page link to?</source>
        <translation>哪些可索引页面只被一个页面链接？</translation>
    </message>
    <message>
        <source>How many pages are there at each crawl depth?</source>
        <translation>距离起始页各点击次数上有多少页面？</translation>
    </message>
    <message>
        <source>How many pages does each top-level folder have, and in which state are they?</source>
        <translation>每个顶层文件夹有多少页面，情况如何？</translation>
    </message>
    <message>
        <source>How many URLs returned each status code, inside and outside the site?</source>
        <translation>站内和站外各状态码有多少网址？</translation>
    </message>
    <message>
        <source>Which pages took the server longest?</source>
        <translation>哪些页面服务器响应最慢？</translation>
    </message>
    <message>
        <source>Which images are largest, and on how many pages are they?</source>
        <translation>哪些图片最大，出现在多少页面上？</translation>
    </message>
    <message>
        <source>Which images have no alternative text, and where?</source>
        <translation>哪些图片没有替代文本，在哪里？</translation>
    </message>
    <message>
        <source>Which anchor texts do the links to each page have?</source>
        <translation>指向各个页面的链接有哪些锚文本？</translation>
    </message>
    <message>
        <source>Which links have no text that says where they lead?</source>
        <translation>哪些链接没有说明去向的文字？</translation>
    </message>
    <message>
        <source>To which other hosts does the site link most?</source>
        <translation>网站最常链接到哪些其他主机？</translation>
    </message>
    <message>
        <source>Which links inside the site say nofollow?</source>
        <translation>哪些站内链接带有 nofollow？</translation>
    </message>
    <message>
        <source>Which pages name another page as their canonical one?</source>
        <translation>哪些页面把另一个页面指定为规范页面？</translation>
    </message>
    <message>
        <source>Which pages that search engines must not list have the most inlinks?</source>
        <translation>哪些搜索引擎不得收录的页面被最多页面链接？</translation>
    </message>
    <message>
        <source>Which pages have the most issues?</source>
        <translation>哪些页面的问题最多？</translation>
    </message>
    <message>
        <source>Which issues are there, and how many URLs does each have?</source>
        <translation>有哪些问题，每个问题涉及多少网址？</translation>
    </message>
    <message>
        <source>Which pages with little content have a high Link Score?</source>
        <translation>哪些内容很少的页面链接分数却很高？</translation>
    </message>
    <message>
        <source>Which languages do pages declare, and how many declare another one than their text has?</source>
        <translation>页面声明了哪些语言，有多少页面的声明与正文语言不符？</translation>
    </message>
    <message>
        <source>What is new or has changed since the last crawl?</source>
        <translation>自上次抓取以来有哪些新增或变化？</translation>
    </message>
    <message>
        <source>Which versions in other languages do not return status code 200?</source>
        <translation>哪些其他语言版本返回的状态码不是 200？</translation>
    </message>
    <message>
        <source>There is no template {name!r}; choose {near}.</source>
        <translation>没有名为 {name!r} 的模板；请选择 {near}。</translation>
    </message>
    <message>
        <source>The query is longer than {most} bytes; shorten it.</source>
        <translation>查询超过 {most} 字节；请缩短。</translation>
    </message>
    <message>
        <source>The query has a NUL character; remove it.</source>
        <translation>查询中有 NUL 字符；请将其删除。</translation>
    </message>
    <message>
        <source>There is no query; write one such as SELECT * FROM internal LIMIT 10.</source>
        <translation>没有查询；请写一条，例如 SELECT * FROM internal LIMIT 10。</translation>
    </message>
    <message>
        <source>These are several statements; run one at a time.</source>
        <translation>这里有多条语句；请一次只查询一条。</translation>
    </message>
    <message>
        <source>A text, name or comment that begins with {start} does not end; close it.</source>
        <translation>以 {start} 开头的文本、名称或注释没有结束；请将其闭合。</translation>
    </message>
    <message>
        <source>The query has a parameter such as ? or :name; write the value itself.</source>
        <translation>查询中有 ? 或 :name 之类的参数；请直接写出值。</translation>
    </message>
    <message>
        <source>A query begins with SELECT, WITH or VALUES, not with {first}: the console only reads.</source>
        <translation>查询应以 SELECT、WITH 或 VALUES 开头，而不是 {first}：控制台只读取。</translation>
    </message>
    <message>
        <source>Two shards have an archive file {name}, which is not beside both of them: copy it from its node to the archive of its shard first.</source>
        <translation>两个分片都有归档文件 {name}，但它并不都在分片旁边：请先将其从节点复制到所属分片的归档中。</translation>
    </message>
    <message>
        <source>{path} is the folder of a crawl in shards; merge them with &apos;gossamer merge&apos; and name the merged project, or name the file of one shard.</source>
        <translation>{path} 是分片抓取的文件夹；请用 &apos;gossamer merge&apos; 合并分片并指定合并后的项目，或指定某一个分片的文件。</translation>
    </message>
    <message>
        <source>The query needs more than the {limit} MB of memory that it may use; query fewer rows or columns, or group and sort less at once.</source>
        <translation>查询所需内存超过允许的 {limit} MB；请减少行或列，或一次少分组、少排序。</translation>
    </message>
    <message>
        <source>The query produces a text or blob of more than {limit} MB; produce smaller ones.</source>
        <translation>查询生成了超过 {limit} MB 的文本或二进制值；请生成小一些的。</translation>
    </message>
    <message>
        <source>The query needs more space for temporary files than there is; query fewer rows, or sort less.</source>
        <translation>查询需要的临时文件空间不足；请减少行数或排序。</translation>
    </message>
    <message>
        <source>The query names more than {most} views; use fewer in one query.</source>
        <translation>查询用到的视图超过 {most} 个；请一次少查一些。</translation>
    </message>
    <message>
        <source>There is no column {name} in what the query reads.</source>
        <translation>查询所读取的内容中没有名为 {name} 的列。</translation>
    </message>
    <message>
        <source>There is no column {name}; similar names: {near}.</source>
        <translation>没有名为 {name} 的列；相近的名称：{near}。</translation>
    </message>
    <message>
        <source>SQLite cannot run the query: {reason}.</source>
        <translation>SQLite 无法执行该查询：{reason}。</translation>
    </message>
    <message>
        <source>The query would do more than read; use SELECT: the console never changes a project.</source>
        <translation>该查询不只是读取；请用 SELECT 查询：控制台从不更改项目。</translation>
    </message>
    <message>
        <source>The function {name} cannot be used in queries.</source>
        <translation>查询中不能使用函数 {name}。</translation>
    </message>
    <message>
        <source>The query was still running after {seconds} s; narrow it down, have it explained, or allow more time.</source>
        <translation>查询在 {seconds} 秒后仍在运行；请缩小范围、查看说明，或允许更多时间。</translation>
    </message>
    <message>
        <source>There is no table or view {name}; similar names: {near}.</source>
        <translation>没有名为 {name} 的表或视图；相近的名称：{near}。</translation>
    </message>
    <message>
        <source>The table {name} cannot be read: queries read views and tables of projects.</source>
        <translation>不能读取表 {name}：查询只读取项目的视图和表。</translation>
    </message>
    <message>
        <source>The column {name} cannot be read: it may hold secrets.</source>
        <translation>不能读取列 {name}：其中可能含有机密。</translation>
    </message>
    <message>
        <source>wacz is a WACZ file; name one that ends with .wacz.</source>
        <translation>wacz 是 WACZ 文件；请指定以 .wacz 结尾的文件名。</translation>
    </message>
    <message>
        <source>The texts of this crawl were not kept; to search them, crawl again with the setting Full-text search (--full-text-search).</source>
        <translation>此次抓取没有保留文本；要搜索文本，请启用“全文搜索”设置（--full-text-search）重新抓取。</translation>
    </message>
    <message>
        <source>The search index {path} cannot be built ({reason}); check its disk and permissions.</source>
        <translation>无法创建搜索索引 {path}（{reason}）；请检查磁盘和权限。</translation>
    </message>
    <message>
        <source>A search can have at most {most} characters.</source>
        <translation>搜索最多可以有 {most} 个字符。</translation>
    </message>
    <message>
        <source>The search has a ) without a ( before it.</source>
        <translation>搜索中有一个 )，前面没有 (。</translation>
    </message>
    <message>
        <source>The search has a &quot; without another one after it.</source>
        <translation>搜索中有一个 &quot;，后面没有另一个。</translation>
    </message>
    <message>
        <source>The search has too many parentheses.</source>
        <translation>搜索中的括号太多。</translation>
    </message>
    <message>
        <source>The search has AND with nothing before it.</source>
        <translation>搜索中的 AND 前面没有内容。</translation>
    </message>
    <message>
        <source>Enter a word to search for; OR, AND and NOT stand between words.</source>
        <translation>请输入要搜索的词；OR、AND 和 NOT 放在词之间。</translation>
    </message>
    <message>
        <source>The search ends where a word should follow.</source>
        <translation>搜索在应有词语的地方结束了。</translation>
    </message>
    <message>
        <source>The search has a ( without a ) after it.</source>
        <translation>搜索中有一个 (，后面没有 )。</translation>
    </message>
    <message>
        <source>The search has {what} where a word should be.</source>
        <translation>搜索中应为词语的地方是 {what}。</translation>
    </message>
    <message>
        <source>A search can have at most {most} words.</source>
        <translation>搜索最多可以有 {most} 个词。</translation>
    </message>
    <message>
        <source>Put two letters at least before *.</source>
        <translation>* 前至少要有两个字母。</translation>
    </message>
    <message>
        <source>All views</source>
        <translation>全部视图</translation>
    </message>
    <message>
        <source>{path} is in the way; move or delete it.</source>
        <translation>{path} 挡住了位置；请移走或删除它。</translation>
    </message>
    <message>
        <source>Search in the texts of pages</source>
        <translation>在网页文本中搜索</translation>
    </message>
    <message>
        <source>{url} is not in the project; spell it as it is there.</source>
        <translation>项目中没有 {url}；请按其中的写法输入。</translation>
    </message>
    <message>
        <source>The archive folder {path} is missing; put it back beside the project file.</source>
        <translation>找不到存档文件夹 {path}；请把它放回项目文件旁边。</translation>
    </message>
    <message>
        <source>The archive file {path} is missing; put it back where it was.</source>
        <translation>找不到存档文件 {path}；请把它放回原处。</translation>
    </message>
    <message>
        <source>The record of this page in {path} is damaged; crawl the site again to store it again.</source>
        <translation>{path} 中此页面的记录已损坏；请重新抓取网站以再次保存。</translation>
    </message>
    <message>
        <source>The server said that the page has not changed (304), so the archive has no source of it.</source>
        <translation>服务器表示页面没有变化 (304)，因此存档中没有它的源代码。</translation>
    </message>
    <message>
        <source>{path} is a file; name a new folder.</source>
        <translation>{path} 是文件；请指定一个新文件夹。</translation>
    </message>
    <message>
        <source>{path} has become shorter while it was read; try again.</source>
        <translation>读取 {path} 时，它变短了；请重试。</translation>
    </message>
    <message>
        <source>The record at the position of this page in {path} is not the one that the crawl stored: its address or its digest differs. Put the original file back, or crawl the site again.</source>
        <translation>{path} 中此页面位置上的记录不是抓取时存储的记录：其地址或摘要不同。请放回原来的文件，或重新抓取该网站。</translation>
    </message>
    <message>
        <source>&amp;Import web archive…</source>
        <translation>导入网页存档(&amp;I)…</translation>
    </message>
    <message>
        <source>Looking through the archive</source>
        <translation>正在查看存档</translation>
    </message>
    <message>
        <source>Reading pages</source>
        <translation>正在读取页面</translation>
    </message>
    <message>
        <source>The crawl of {project} is not finished, so it cannot be audited again from its archive: resume it first.</source>
        <translation>{project} 的抓取尚未完成，因此无法根据存档重新审计：请先继续抓取。</translation>
    </message>
    <message>
        <source>{project} was changed while it was audited again, so it was left as it is; audit it again.</source>
        <translation>重新审计期间 {project} 被更改，因此保持原样；请再次审计。</translation>
    </message>
    <message>
        <source>{setting} cannot change by reading the archive again; crawl again to change it.</source>
        <translation>“{setting}”无法通过重新读取存档来更改；请重新抓取以更改它。</translation>
    </message>
    <message>
        <source>What cannot be compared</source>
        <translation>无法比较</translation>
    </message>
    <message>
        <source>The last audit before is older than {urls} URLs: their issues of the whole crawl are unknown.</source>
        <translation>之前的抓取中有 {urls} 个网址晚于上次审核：它们的全站问题未知。</translation>
    </message>
    <message>
        <source>The last audit after is older than {urls} URLs: their issues of the whole crawl are unknown.</source>
        <translation>之后的抓取中有 {urls} 个网址晚于上次审核：它们的全站问题未知。</translation>
    </message>
    <message>
        <source>Unknown before</source>
        <translation>以前未知</translation>
    </message>
    <message>
        <source>The search index {path} is damaged; search again to rebuild it.</source>
        <translation>搜索索引 {path} 已损坏；请再次搜索以重新建立。</translation>
    </message>
    <message>
        <source>Entering texts into the search index</source>
        <translation>正在将文本写入搜索索引</translation>
    </message>
    <message>
        <source>Making a damaged search index again</source>
        <translation>正在重新建立已损坏的搜索索引</translation>
    </message>
    <message>
        <source>The search index could not be built; see the log for details, and please report it.</source>
        <translation>无法建立搜索索引；详情请查看日志，并请报告此问题。</translation>
    </message>
    <message>
        <source>The search index process exited unexpectedly; see the log, then try again.</source>
        <translation>搜索索引进程意外退出；请查看日志，然后重试。</translation>
    </message>
    <message>
        <source>Audit again from the arc&amp;hive</source>
        <translation>根据存档重新审计(&amp;H)</translation>
    </message>
    <message>
        <source>Read all archived pages again, without requests to the site, and check the rules again; notes and times stay</source>
        <translation>重新读取抓取所保留的所有页面并判定规则，不向网站发送请求；备注和时间保持不变</translation>
    </message>
    <message>
        <source>{project} has no archive. Turn on Keep pages (--archive) before a crawl, or import a web archive.</source>
        <translation>{project} 没有存档。请在抓取前启用“保存页面” (--archive)，或导入网页存档。</translation>
    </message>
    <message>
        <source>Web archive (WACZ)</source>
        <translation>网页存档 (WACZ)</translation>
    </message>
    <message>
        <source>Offline copy of the archived pages</source>
        <translation>存档页面的离线副本</translation>
    </message>
    <message>
        <source>Content types kept</source>
        <translation>保存的内容类型</translation>
    </message>
    <message>
        <source>Such as text/html or image/*, one per line; empty: all of what is kept.</source>
        <translation>例如 text/html 或 image/*，每行一个；留空：保存内容中的所有类型。</translation>
    </message>
    <message>
        <source>a content type</source>
        <translation>内容类型</translation>
    </message>
    <message>
        <source>The content type is {type}; only HTML pages can be shown.</source>
        <translation>内容类型为 {type}；只能显示 HTML 页面。</translation>
    </message>
    <message>
        <source>{name} is not a part of a page; use in:title, in:headings, in:description, in:address, in:text or in:anchor.</source>
        <translation>{name} 不是网页的组成部分；请使用 in:title、in:headings、in:description、in:address、in:text 或 in:anchor。</translation>
    </message>
    <message>
        <source>In which folders do pages have no H1, and how many of them?</source>
        <translation>哪些文件夹中的页面没有 H1，各有多少？</translation>
    </message>
    <message>
        <source>the URLs</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>the responses of servers</source>
        <translation>服务器的响应</translation>
    </message>
    <message>
        <source>the counts of inlinks</source>
        <translation>入链计数</translation>
    </message>
    <message>
        <source>the figures of the audit</source>
        <translation>审计数据</translation>
    </message>
    <message>
        <source>the rendered pages</source>
        <translation>渲染的页面</translation>
    </message>
    <message>
        <source>the links</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>the links by where they lead</source>
        <translation>按目标排列的链接</translation>
    </message>
    <message>
        <source>the newest links</source>
        <translation>最新的链接</translation>
    </message>
    <message>
        <source>the issues</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>the ignored issues</source>
        <translation>已忽略的问题</translation>
    </message>
    <message>
        <source>the names of issues</source>
        <translation>问题名称</translation>
    </message>
    <message>
        <source>the texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>the folders</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>the hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>there is a row for every link: name a page with source_id or destination_id, or its address with source = &apos;…&apos; or destination = &apos;…&apos;, and take the view inlinks for links to a page, outlinks for those on it</source>
        <translation>每个链接占一行：请用 source_id 或 destination_id 指定页面，或用 source = &apos;…&apos; 或 destination = &apos;…&apos; 指定其地址；指向页面的链接用视图 inlinks，页面上的链接用 outlinks</translation>
    </message>
    <message>
        <source>that is fast for thousands of URLs and takes seconds for millions; url_id = … or address = &apos;…&apos; finds one at once</source>
        <translation>几千个网址时很快，几百万个时需要数秒；url_id = … 或 address = &apos;…&apos; 可立即找到一个</translation>
    </message>
    <message>
        <source>finds rows of {table} at once, by their number</source>
        <translation>按编号立即找到{table}中的行</translation>
    </message>
    <message>
        <source>sorts the rows, for {what}</source>
        <translation>为 {what} 对行排序</translation>
    </message>
    <message>
        <source>works out {name} first, and keeps it</source>
        <translation>先算出 {name} 并保留</translation>
    </message>
    <message>
        <source>works out {name} row by row</source>
        <translation>逐行算出 {name}</translation>
    </message>
    <message>
        <source>puts the rows of several queries together ({how})</source>
        <translation>合并多个查询的行 ({how})</translation>
    </message>
    <message>
        <source>leaves out early what cannot match in {table}</source>
        <translation>提前排除{table}中不可能匹配的行</translation>
    </message>
    <message>
        <source>runs a subquery again for each row</source>
        <translation>对每一行重新执行子查询</translation>
    </message>
    <message>
        <source>runs a subquery once</source>
        <translation>执行一次子查询</translation>
    </message>
    <message>
        <source>runs a subquery once, and keeps its rows</source>
        <translation>执行一次子查询，并保留其行</translation>
    </message>
    <message>
        <source>takes the rows kept before</source>
        <translation>使用之前保留的行</translation>
    </message>
    <message>
        <source>finds the rows of each condition by itself</source>
        <translation>分别查找满足每个条件的行</translation>
    </message>
    <message>
        <source>one of these conditions</source>
        <translation>其中一个条件</translation>
    </message>
    <message>
        <source>runs several queries</source>
        <translation>执行多个查询</translation>
    </message>
    <message>
        <source>the first of them</source>
        <translation>其中第一个</translation>
    </message>
    <message>
        <source>where the recursion begins</source>
        <translation>递归的起点</translation>
    </message>
    <message>
        <source>the step that is repeated</source>
        <translation>反复执行的部分</translation>
    </message>
    <message>
        <source>one side</source>
        <translation>其中一侧</translation>
    </message>
    <message>
        <source>the other side</source>
        <translation>另一侧</translation>
    </message>
    <message>
        <source>takes values that the query names</source>
        <translation>使用查询中写明的值</translation>
    </message>
    <message>
        <source>takes a step that SQLite calls {detail}</source>
        <translation>执行 SQLite 称为 {detail} 的步骤</translation>
    </message>
    <message>
        <source>The search has {name}: without a value after it.</source>
        <translation>搜索中的 {name}: 后面没有值。</translation>
    </message>
    <message>
        <source>Use a status such as status:404 or status:4xx.</source>
        <translation>请使用 status:404 或 status:4xx 这样的状态。</translation>
    </message>
    <message>
        <source>Import archive…</source>
        <translation>导入存档…</translation>
    </message>
    <message>
        <source>The archive has changed since it was read; try again when nothing writes to it.</source>
        <translation>读取之后存档已发生变化；请在没有程序写入它时再试。</translation>
    </message>
    <message>
        <source>The archive of {project} is on nodes of a cluster, such as in {there} on {node}; copy the files to {here} first.</source>
        <translation>{project} 的存档在集群的节点上，例如 {node} 的 {there} 中；请先把文件复制到 {here}。</translation>
    </message>
    <message>
        <source>The archive file {name} is on the node {node}; copy it from {there} to {here}.</source>
        <translation>存档文件 {name} 在节点 {node} 上；请把它从 {there} 复制到 {here}。</translation>
    </message>
    <message>
        <source>On a cluster</source>
        <translation>在集群上</translation>
    </message>
    <message>
        <source>Each node writes its own files. If they stay there, pages can be viewed once the files are copied.</source>
        <translation>每个节点写自己的文件。若留在节点上，复制过来后才能查看页面。</translation>
    </message>
    <message>
        <source>Bring the archive here</source>
        <translation>把存档收集到这里</translation>
    </message>
    <message>
        <source>Leave it on the nodes</source>
        <translation>留在节点上</translation>
    </message>
    <message>
        <source>{path} is not a web archive: name a WARC file (.warc, .warc.gz, .warc.zst) or a WACZ file (.wacz).</source>
        <translation>{path} 不是网页存档：请指定 WARC 文件（.warc、.warc.gz、.warc.zst）或 WACZ 文件（.wacz）。</translation>
    </message>
    <message>
        <source>{path} is compressed with Zstandard, which programs that show WACZ files do not read; unpack it (zstd -d), import it again, and export that project.</source>
        <translation>{path} 使用 Zstandard 压缩，显示 WACZ 文件的程序无法读取；请解压（zstd -d），重新导入，然后导出该项目。</translation>
    </message>
    <message>
        <source>{path} has other files than an earlier export; name a new folder.</source>
        <translation>{path} 中有并非来自先前导出的文件；请指定新文件夹。</translation>
    </message>
    <message>
        <source>There is no Chromium, Chrome or Edge on this computer.</source>
        <translation>此计算机上没有 Chromium、Chrome 或 Edge。</translation>
    </message>
    <message>
        <source>The browser could not show the page.</source>
        <translation>浏览器无法显示该页面。</translation>
    </message>
    <message>
        <source>The disk of the node {name} with {path} is full; free some space there.</source>
        <translation>节点 {name} 上 {path} 所在的磁盘已满；请在那里释放一些空间。</translation>
    </message>
    <message>
        <source>{path} on the node {name} cannot be written; check its permissions there, or have the node&apos;s environment variable GOSSAMER_ARCHIVES name another folder.</source>
        <translation>无法写入节点 {name} 上的 {path}；请在那里检查其权限，或让该节点的环境变量 GOSSAMER_ARCHIVES 指定另一个文件夹。</translation>
    </message>
    <message>
        <source>{path} on the node {name} cannot be read or written; check its disk there.</source>
        <translation>无法读取或写入节点 {name} 上的 {path}；请在那里检查其磁盘。</translation>
    </message>
    <message>
        <source>The search index is not complete; search again to complete it.</source>
        <translation>搜索索引尚未完成；请再次搜索以继续。</translation>
    </message>
</context>
<context>
    <name>SessionRestore</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Your crawl of {host} is unfinished.</source>
        <translation>对 {host} 的抓取尚未完成。</translation>
    </message>
    <message>
        <source>Your crawl of {host} is unfinished ({done} of {total}).</source>
        <translation>对 {host} 的抓取尚未完成（{done}/{total}）。</translation>
    </message>
</context>
<context>
    <name>SettingCommands</name>
    <message>
        <source>Crawl settings</source>
        <translation>抓取设置</translation>
    </message>
</context>
<context>
    <name>SettingMeanings</name>
    <message>
        <source>Page titles longer than this are reported.</source>
        <translation>页面标题长于此值时报告。</translation>
    </message>
    <message>
        <source>Page titles shorter than this are reported.</source>
        <translation>页面标题短于此值时报告。</translation>
    </message>
    <message>
        <source>Page titles wider than this are reported.</source>
        <translation>页面标题宽于此值时报告。</translation>
    </message>
    <message>
        <source>Page titles narrower than this are reported.</source>
        <translation>页面标题窄于此值时报告。</translation>
    </message>
    <message>
        <source>Meta descriptions longer than this are reported.</source>
        <translation>Meta 描述长于此值时报告。</translation>
    </message>
    <message>
        <source>Meta descriptions shorter than this are reported.</source>
        <translation>Meta 描述短于此值时报告。</translation>
    </message>
    <message>
        <source>Meta descriptions wider than this are reported.</source>
        <translation>Meta 描述宽于此值时报告。</translation>
    </message>
    <message>
        <source>Meta descriptions narrower than this are reported.</source>
        <translation>Meta 描述窄于此值时报告。</translation>
    </message>
    <message>
        <source>First-level headings longer than this are reported.</source>
        <translation>一级标题长于此值时报告。</translation>
    </message>
    <message>
        <source>Second-level headings longer than this are reported.</source>
        <translation>二级标题长于此值时报告。</translation>
    </message>
    <message>
        <source>URLs longer than this are reported.</source>
        <translation>网址长于此值时报告。</translation>
    </message>
    <message>
        <source>Alt texts longer than this are reported.</source>
        <translation>替代文本长于此值时报告。</translation>
    </message>
    <message>
        <source>Images larger than this are reported.</source>
        <translation>图像大于此值时报告。</translation>
    </message>
    <message>
        <source>Pages with fewer words of content are reported.</source>
        <translation>正文字数少于此值的页面会被报告。</translation>
    </message>
    <message>
        <source>Pages that share at least this percentage of text are near duplicates.</source>
        <translation>文本相同的比例不低于此值的页面视为近似重复。</translation>
    </message>
    <message>
        <source>Pages more clicks away from a root are reported.</source>
        <translation>距起始页的点击次数多于此值的页面会被报告。</translation>
    </message>
    <message>
        <source>Pages with links to more internal URLs are reported.</source>
        <translation>链接到的站内网址多于此值的页面会被报告。</translation>
    </message>
    <message>
        <source>Pages with links to more external URLs are reported.</source>
        <translation>链接到的站外网址多于此值的页面会被报告。</translation>
    </message>
    <message>
        <source>HTML documents and resources larger than this are reported.</source>
        <translation>HTML 文档和资源大于此值时报告。</translation>
    </message>
    <message>
        <source>Pages with less than this Flesch reading ease are difficult to read.</source>
        <translation>Flesch 易读度低于此值的页面视为难读。</translation>
    </message>
    <message>
        <source>Pages with less than this Flesch reading ease are very difficult to read.</source>
        <translation>Flesch 易读度低于此值的页面视为非常难读。</translation>
    </message>
    <message>
        <source>Report missing, duplicate and multiple meta keywords, which search engines ignore.</source>
        <translation>报告缺失、重复和多个 Meta 关键词；搜索引擎会忽略它们。</translation>
    </message>
    <message>
        <source>Named parts of the site, each as `NAME=CONDITION`; a URL is in the first whose condition holds. See [segments](command-line.md#segments).</source>
        <translation>网站的命名部分，各写作 `NAME=CONDITION`；网址属于第一个条件成立的部分。参见[分段](command-line.md#segments)。</translation>
    </message>
    <message>
        <source>Elements, `.classes` and `#ids` whose text does not count as content: not in the word count, readability and near duplicates.</source>
        <translation>其文本不算作正文的元素、`.class` 和 `#id`：不计入字数、易读度和近似重复。</translation>
    </message>
    <message>
        <source>Send passwords, cookies and other secrets to nodes also over connections that others can read. Without it, such a crawl needs `tls://` or a cluster on this machine. It is not saved in projects.</source>
        <translation>也通过他人可读取的连接向节点发送密码、cookie 和其他机密。不启用时，这样的抓取需要 `tls://` 或本机上的集群。它不保存在项目中。</translation>
    </message>
    <message>
        <source>Fetch only the roots and their redirects, and follow no links. In the window: *List* next to the address, *Only these URLs*.</source>
        <translation>只抓取起始网址及其重定向，不跟踪链接。在窗口中：网址旁的*列表*，*仅这些网址*。</translation>
    </message>
    <message>
        <source>Names of the passwords, cookies and headers that the crawl was started with, by origin, without their values. Set by the program.</source>
        <translation>抓取开始时所用密码、cookie 和标头的名称，按来源列出，不含其值。由程序设置。</translation>
    </message>
    <message>
        <source>Folders that were skipped for now or moved to the front during the crawl. Set by the program.</source>
        <translation>抓取期间暂时跳过或提到最前的目录。由程序设置。</translation>
    </message>
    <message>
        <source>Texts and regular expressions that are counted in each page, up to 100. See [Custom search and extraction](#custom-search-and-extraction).</source>
        <translation>在每个页面中计数的文本和正则表达式，最多 100 个。参见[自定义搜索和提取](#custom-search-and-extraction)。</translation>
    </message>
    <message>
        <source>What CSS selectors, XPaths and regular expressions find in each page, up to 100. See [Custom search and extraction](#custom-search-and-extraction).</source>
        <translation>CSS 选择器、XPath 和正则表达式在每个页面中找到的内容，最多 100 个。参见[自定义搜索和提取](#custom-search-and-extraction)。</translation>
    </message>
    <message>
        <source>URLs to start from. A missing scheme is added: `example.com` is enough.</source>
        <translation>起始网址。缺少的协议会自动补上：写 `example.com` 即可。</translation>
    </message>
    <message>
        <source>Number of parallel requests over all page workers. If the system allows few open files, some of them wait for a connection.</source>
        <translation>所有页面进程同时发出的请求数。如果系统允许打开的文件很少，其中一些会等待连接。</translation>
    </message>
    <message>
        <source>Consecutive redirects to follow, counted from a link or a root. The first one over the limit has the outcome *redirect limit reached*.</source>
        <translation>连续跟踪的重定向次数，从链接或起始网址算起。超出上限的第一个结果为*达到重定向上限*。</translation>
    </message>
    <message>
        <source>Maximum clicks from a root. Deeper pages are listed but not fetched, unless a sitemap that is read lists them.</source>
        <translation>距起始网址的最多点击次数。更深的页面会列出但不抓取，除非所读取的站点地图中有它们。</translation>
    </message>
    <message>
        <source>Stops the crawl after this many pages. Redirects, files and errors do not count.</source>
        <translation>达到此页面数后停止抓取。重定向、文件和错误不计入。</translation>
    </message>
    <message>
        <source>Trap limit: the number of similar pages that only link to each other, such as the empty months of a calendar, before the crawl skips the rest. Pages with new content, and lists that lead to them, do not count. See [Sites without end](#sites-without-end).</source>
        <translation>陷阱上限：只互相链接的相似页面（例如日历中的空月份）达到此数量后，抓取会跳过其余的页面。有新内容的页面以及通向它们的列表不计入。参见[没有尽头的网站](#sites-without-end)。</translation>
    </message>
    <message>
        <source>Number of attempts when a request fails temporarily, for example because the connection was lost or the response broke off. If every attempt breaks off, the longest part is used.</source>
        <translation>请求暂时失败（例如连接中断或响应不完整）时的尝试次数。如果每次都中断，则使用最长的部分。</translation>
    </message>
    <message>
        <source>Maximum seconds for one response, from connecting to the last byte; each redirect is a response. Time during which Gossamer itself is busy [does not count](#response-times).</source>
        <translation>一个响应的最多秒数，从连接到最后一个字节；每次重定向都是一个响应。Gossamer 自身繁忙的时间[不计入](#response-times)。</translation>
    </message>
    <message>
        <source>Maximum size of a body in bytes, decompressed. Longer pages are cut off and get the [warning](project-file.md#warnings) `size-limit`.</source>
        <translation>正文解压后的最大字节数。更长的页面会被截断，并带有[警告](project-file.md#warnings) `size-limit`。</translation>
    </message>
    <message>
        <source>Maximum links per page. Further links are ignored.</source>
        <translation>每个页面的最多链接数。其余的链接会被忽略。</translation>
    </message>
    <message>
        <source>Maximum URL length in characters. Longer URLs are listed but not fetched.</source>
        <translation>网址的最大字符数。更长的网址会列出但不抓取。</translation>
    </message>
    <message>
        <source>Maximum requests per second to one host. None: as fast as the host responds.</source>
        <translation>每秒向一台主机发送的最多请求数。无：以主机响应的速度。</translation>
    </message>
    <message>
        <source>Maximum parallel requests to one host.</source>
        <translation>同时向一台主机发送的最多请求数。</translation>
    </message>
    <message>
        <source>Pauses the crawl, with the reason, when nearly all recent requests failed. If the network is down, the crawl waits and resumes automatically.</source>
        <translation>最近的请求几乎全部失败时暂停抓取并说明原因。如果网络中断，抓取会等待并自动继续。</translation>
    </message>
    <message>
        <source>Check the spelling of titles, descriptions and content with the Hunspell dictionaries on this computer. Nothing is sent anywhere. What is not content, `code`, `pre`, `kbd` and the like, elements with `translate=&quot;no&quot;` or the class `notranslate`, and what looks like an address, a file name or code is not checked.</source>
        <translation>使用此计算机上的 Hunspell 词典检查标题、描述和正文的拼写。不会向任何地方发送内容。非正文内容、`code`、`pre`、`kbd` 等元素、带有 `translate=&quot;no&quot;` 或类 `notranslate` 的元素，以及看起来像网址、文件名或代码的内容不检查。</translation>
    </message>
    <message>
        <source>Dictionaries to check with, such as `en_GB`. The language of a page decides among them; a page that does not say its language is checked with the first, one in another language with none. Without any, every page is checked if there is a dictionary for its language.</source>
        <translation>用于检查的词典，例如 `en_GB`。由页面的语言决定使用哪一个；未声明语言的页面使用第一个，其他语言的页面不检查。未指定时，凡有相应语言词典的页面都会检查。</translation>
    </message>
    <message>
        <source>A folder with Hunspell dictionaries (`.aff` and `.dic`). It comes before those of the system, of LibreOffice, in `~/Library/Spelling` and in `DICPATH`.</source>
        <translation>含有 Hunspell 词典（`.aff` 和 `.dic`）的文件夹。它优先于系统、LibreOffice、`~/Library/Spelling` 和 `DICPATH` 中的词典。</translation>
    </message>
    <message>
        <source>Words with fewer letters are not checked.</source>
        <translation>字母数更少的单词不检查。</translation>
    </message>
    <message>
        <source>Check words in capitals too, most of which are abbreviations.</source>
        <translation>也检查全大写的单词（多为缩写）。</translation>
    </message>
    <message>
        <source>Check words with digits in them too.</source>
        <translation>也检查含有数字的单词。</translation>
    </message>
    <message>
        <source>Skip words that begin with a capital letter: names, mostly; in German, all nouns.</source>
        <translation>跳过首字母大写的单词：多为名称；在德语中是所有名词。</translation>
    </message>
    <message>
        <source>Words that are not spelling errors, in upper or lower case. They take effect at once, without another crawl. On the command line, `@FILE` stands for the words in a file, one per line.</source>
        <translation>不算拼写错误的单词，不区分大小写。立即生效，无需重新抓取。在命令行中，`@FILE` 表示文件中的单词，每行一个。</translation>
    </message>
    <message>
        <source>Find out the language of every page by its text, and compare it with the `lang` attribute. It takes some 80 MB of memory for each page worker. Without it, that is done where spelling or grammar is checked and a page does not say its language, or says a wrong one.</source>
        <translation>根据文本判断每个页面的语言，并与 `lang` 属性比较。每个页面进程约需 80 MB 内存。不启用时，只在检查拼写或语法且页面未声明语言或声明有误时这样做。</translation>
    </message>
    <message>
        <source>Address of a LanguageTool server that checks grammar, such as `http://localhost:8081`. The texts of all pages are sent to it, directly and without the proxy, and to no other. A crawl waits for its responses; if it fails, the crawl continues without them.</source>
        <translation>检查语法的 LanguageTool 服务器的地址，例如 `http://localhost:8081`。所有页面的文本会直接（不经代理）发送给它，且只发送给它。抓取会等待其响应；如果它出错，抓取会在没有响应的情况下继续。</translation>
    </message>
    <message>
        <source>Ids of LanguageTool&apos;s rules that are not reported, such as `EN_A_VS_AN`. They take effect at once, without another crawl.</source>
        <translation>不报告的 LanguageTool 规则的 ID，例如 `EN_A_VS_AN`。立即生效，无需重新抓取。</translation>
    </message>
    <message>
        <source>When a project is crawled again, request pages on the condition that they have changed since, by their `ETag` and `Last-Modified`. See [`gossamer recrawl`](command-line.md#gossamer-recrawl).</source>
        <translation>重新抓取项目时，根据页面的 `ETag` 和 `Last-Modified`，仅在页面此后有变化的条件下请求。参见 [`gossamer recrawl`](command-line.md#gossamer-recrawl)。</translation>
    </message>
    <message>
        <source>When a project is crawled again, check in the end those pages of the earlier crawl to which nothing led in this one: they are *gone* (404 or 410), or *no longer linked*.</source>
        <translation>重新抓取项目时，最后检查先前抓取过而此次没有任何链接通向的页面：它们*已消失*（404 或 410），或*不再有链接*。</translation>
    </message>
    <message>
        <source>When a project is crawled again, fetch those URLs first whose `lastmod` in a sitemap is later than their response in the earlier crawl.</source>
        <translation>重新抓取项目时，首先抓取站点地图中 `lastmod` 晚于先前响应的网址。</translation>
    </message>
    <message>
        <source>When a project is crawled again, do not request a page that is *not due*: it is requested again half as long after its last response as it had been unchanged by then, within `min_interval_h` and `max_interval_h`. A page that is not due keeps its facts and links. Start pages, and pages that a sitemap says were modified since, are always due.</source>
        <translation>重新抓取项目时，不请求*未到期*的页面：页面在上次响应时已有多久未变，就在此后一半的时间再次请求，并限制在 `min_interval_h` 与 `max_interval_h` 之间。未到期的页面保留其数据和链接。起始页以及站点地图表明此后修改过的页面始终到期。</translation>
    </message>
    <message>
        <source>Shortest interval of `adaptive_interval`, in hours.</source>
        <translation>`adaptive_interval` 的最短间隔，以小时计。</translation>
    </message>
    <message>
        <source>Longest interval of `adaptive_interval`, in hours.</source>
        <translation>`adaptive_interval` 的最长间隔，以小时计。</translation>
    </message>
    <message>
        <source>Render pages in a browser, so that the crawl sees what scripts make of them: `off`, `auto` (where needed) or `on`. It takes a Chromium, Chrome or Edge of this computer.</source>
        <translation>在浏览器中渲染页面，使抓取看到脚本生成的内容：`off`（关）、`auto`（需要时）或 `on`（开）。需要此计算机上的 Chromium、Chrome 或 Edge。</translation>
    </message>
    <message>
        <source>The device that pages believe they are shown on: `desktop` (1024 by 768 pixels) or `mobile` (411 by 731).</source>
        <translation>页面认为自己所在的设备：`desktop`（1024 × 768 像素）或 `mobile`（411 × 731）。</translation>
    </message>
    <message>
        <source>Size in which pages are rendered, in CSS pixels, such as `1280x800`; empty: that of the device.</source>
        <translation>渲染页面的尺寸，以 CSS 像素计，例如 `1280x800`；留空：设备的尺寸。</translation>
    </message>
    <message>
        <source>How scripts are waited for: in `virtual` time, in which the timers of a page run at once while nothing is loaded, or in `real` time.</source>
        <translation>等待脚本的方式：`virtual`（虚拟时间），在没有加载时页面的定时器立即运行；或 `real`（真实时间）。</translation>
    </message>
    <message>
        <source>Seconds that the scripts of a page have after it has loaded.</source>
        <translation>页面加载后留给脚本的秒数。</translation>
    </message>
    <message>
        <source>Seconds of real time after which a page is read as it is.</source>
        <translation>经过多少秒（真实时间）后按当时的状态读取页面。</translation>
    </message>
    <message>
        <source>Number of pages that are rendered at once. None: two per core.</source>
        <translation>同时渲染的页面数。无：每个核心两个。</translation>
    </message>
    <message>
        <source>Keep a screenshot of every rendered page, as large as the viewport, some 50 KB each.</source>
        <translation>保存每个渲染页面的截图，大小与视口相同，每张约 50 KB。</translation>
    </message>
    <message>
        <source>Measure how each rendered page loads: First and Largest Contentful Paint, Cumulative Layout Shift and Total Blocking Time. Pages are rendered one at a time, each in real time until it has been quiet for a second.</source>
        <translation>测量每个渲染页面的加载情况：首次内容绘制、最大内容绘制、累计布局偏移和总阻塞时间。页面逐个渲染，各以真实时间进行，直到静止一秒。</translation>
    </message>
    <message>
        <source>Read the open shadow roots of web components as a part of the page.</source>
        <translation>将 Web 组件的开放 shadow root 作为页面的一部分读取。</translation>
    </message>
    <message>
        <source>Read frames of the page&apos;s own origin as a part of the page.</source>
        <translation>将同源的框架作为页面的一部分读取。</translation>
    </message>
    <message>
        <source>Crawl addresses of the site that differ behind `#/` or `#!` as pages of their own, each with what its scripts show there. Search engines see one page.</source>
        <translation>把网站中 `#/` 或 `#!` 之后不同的网址作为各自的页面抓取，内容是脚本在该处显示的内容。搜索引擎只看到一个页面。</translation>
    </message>
    <message>
        <source>Check rendered pages for accessibility with axe-core: `off`, `a` (level A of WCAG 2.0 to 2.2), `aa` (A and AA), `aaa`, `best-practice` (A, AA and best practices) or `all`. Without it, or where pages are not rendered, only the rules that can be decided from the HTML alone are checked.</source>
        <translation>用 axe-core 检查渲染页面的无障碍：`off`（关）、`a`（WCAG 2.0 至 2.2 的 A 级）、`aa`（A 和 AA）、`aaa`、`best-practice`（A、AA 和最佳实践）或 `all`（全部）。不启用时，或页面未渲染时，只判定仅凭 HTML 就能判断的规则。</translation>
    </message>
    <message>
        <source>Path or name of the Chromium, Chrome or Edge that renders pages and opens the window of a login; empty: the best one of this computer. `gossamer browser` shows which one that is.</source>
        <translation>渲染页面并打开登录窗口的 Chromium、Chrome 或 Edge 的路径或名称；留空：此计算机上最合适的一个。`gossamer browser` 会显示是哪一个。</translation>
    </message>
    <message>
        <source>User-Agent header. The product name in it selects the rules of robots.txt. A [name](#user-agents-by-name) stands for a complete header.</source>
        <translation>User-Agent 标头。其中的产品名称决定适用 robots.txt 的哪些规则。[名称](#user-agents-by-name)代表完整的标头。</translation>
    </message>
    <message>
        <source>Accept-Language header, such as `de, en;q=0.5`.</source>
        <translation>Accept-Language 标头，例如 `de, en;q=0.5`。</translation>
    </message>
    <message>
        <source>Request headers, each `Name: value`, sent only to the site where the crawl starts. `Content-Length`, `Transfer-Encoding` and `Accept-Encoding` are refused because Gossamer sets them itself. Values are [secrets](#secrets): the project saves only the names.</source>
        <translation>请求头，各写作 `Name: value`，只发送给抓取开始的网站。`Content-Length`、`Transfer-Encoding` 和 `Accept-Encoding` 由 Gossamer 自行设置，不接受。值是[机密](#secrets)：项目只保存名称。</translation>
    </message>
    <message>
        <source>Request headers sent to every server and saved in the project.</source>
        <translation>发送给所有服务器并保存在项目中的请求头。</translation>
    </message>
    <message>
        <source>A [proxy](#proxies) for all requests, such as `http://host:port` or `socks5://host:port`.</source>
        <translation>用于所有请求的[代理](#proxies)，例如 `http://host:port` 或 `socks5://host:port`。</translation>
    </message>
    <message>
        <source>The [form](logging-in.md#with-a-form) with which the crawl logs in when it starts: its page, where it is sent, the names of its fields. What is typed into them is a [secret](#secrets). `gossamer login URL --form` and *Log in with a form…* record it.</source>
        <translation>抓取开始时用来登录的[表单](logging-in.md#with-a-form)：其页面、提交地址和字段名称。填入的内容是[机密](#secrets)。记录方式：`gossamer login URL --form`，或*用表单登录…*。</translation>
    </message>
    <message>
        <source>Keep the [cookies](#cookies) that servers set, and send them back.</source>
        <translation>保留服务器设置的 [cookie](#cookies)，并发送回去。</translation>
    </message>
    <message>
        <source>Request robots.txt and obey it.</source>
        <translation>请求 robots.txt 并遵守它。</translation>
    </message>
    <message>
        <source>Request a [made-up URL](#made-up-urls) from each host of the site, to recognise pages that say that a page does not exist.</source>
        <translation>向网站的每台主机请求一个[虚构的网址](#made-up-urls)，以识别提示“不存在”的页面。</translation>
    </message>
    <message>
        <source>Fetch `/llms.txt` of the hosts that the crawl starts at.</source>
        <translation>抓取起始主机的 `/llms.txt`。</translation>
    </message>
    <message>
        <source>Servers whose [certificates](#certificates) are not checked in this crawl, each as `host:port`.</source>
        <translation>此次抓取中不检查[证书](#certificates)的服务器，各写作 `host:port`。</translation>
    </message>
    <message>
        <source>Number of page workers, the processes that fetch and parse pages. None: one per core.</source>
        <translation>页面进程的数量，即抓取和解析页面的进程。无：每个核心一个。</translation>
    </message>
    <message>
        <source>HTML parser. `selectolax` is fast; `beautifulsoup` offers a second opinion but is about forty times slower.</source>
        <translation>HTML 解析器。`selectolax` 速度快；`beautifulsoup` 可用于核对，但慢约四十倍。</translation>
    </message>
    <message>
        <source>Hosts in scope. `strict`: those of the roots. `lenient`: all hosts of the same registrable domain, such as `www.example.com` and `shop.example.com`, according to the Public Suffix List.</source>
        <translation>范围内的主机。`strict`：起始网址的主机。`lenient`：同一可注册域名下的所有主机，例如 `www.example.com` 和 `shop.example.com`，以公共后缀列表为准。</translation>
    </message>
    <message>
        <source>Regular expressions. If there are any, only URLs that match one are fetched; roots are exempt. An empty expression would match everything and is refused, here and in `exclude`.</source>
        <translation>正则表达式。如果有，则只抓取匹配其中之一的网址；起始网址除外。空表达式会匹配一切，因此在这里和 `exclude` 中都不接受。</translation>
    </message>
    <message>
        <source>Regular expressions. URLs that match one are not fetched, including roots and sitemaps, nor are long ones on which an expression, here or in `include`, takes longer than half a second.</source>
        <translation>正则表达式。匹配其中之一的网址不抓取，包括起始网址和站点地图；某个表达式（此处或 `include` 中的）匹配超过半秒的长网址也不抓取。</translation>
    </message>
    <message>
        <source>Kinds of links whose targets are fetched and parsed.</source>
        <translation>其目标会被抓取和解析的链接类型。</translation>
    </message>
    <message>
        <source>Kinds of links whose targets are only checked by their headers. Links of all other kinds are only recorded. With `css` among them, style sheets are read for what they load.</source>
        <translation>其目标只通过响应头检查的链接类型。其他类型的链接只记录。若其中有 `css`，则会读取样式表以找出它们加载的内容。</translation>
    </message>
    <message>
        <source>Follow links despite `rel=nofollow`, a robots meta element or X-Robots-Tag.</source>
        <translation>即使有 `rel=nofollow`、robots meta 元素或 X-Robots-Tag，也跟踪链接。</translation>
    </message>
    <message>
        <source>With a login (a password, cookies, private headers or a browser&apos;s login), also follow links whose URL or text looks like it signs out or deletes something: &quot;logout&quot;, &quot;Abmelden&quot;, &quot;?action=delete&quot;. Otherwise they are listed, and not requested.</source>
        <translation>登录（密码、cookie、私有标头或浏览器登录）时，也跟踪网址或文本看起来会退出登录或删除内容的链接：“logout”“Abmelden”“?action=delete”。否则只列出，不请求。</translation>
    </message>
    <message>
        <source>Check links to other sites by their headers to find broken ones: with HEAD, then with GET if the HEAD error is one that GET may avoid, and once more only if the failure may be temporary. A broken link gets three requests at most, regardless of `max_tries`.</source>
        <translation>通过响应头检查指向其他网站的链接，以找出失效链接：先用 HEAD；如果错误可能因 HEAD 而起，则再用 GET；仅当失败可能是暂时的才再试一次。无论 `max_tries` 是多少，失效链接最多请求三次。</translation>
    </message>
    <message>
        <source>Maximum requests per second to one external host.</source>
        <translation>每秒向一台外部主机发送的最多请求数。</translation>
    </message>
    <message>
        <source>Read the sitemaps listed in robots.txt, or `/sitemap.xml`, and fetch the URLs they list.</source>
        <translation>读取 robots.txt 中列出的站点地图或 `/sitemap.xml`，并抓取其中列出的网址。</translation>
    </message>
    <message>
        <source>URLs of additional sitemaps to read.</source>
        <translation>要另外读取的站点地图的网址。</translation>
    </message>
    <message>
        <source>Keep the texts of pages in the project, without navigation and footer, so that words can be searched in them. It takes 2 to 4 KB a page.</source>
        <translation>把网页的文本（不含导航和页脚）保留在项目中，以便在其中搜索词语。每个网页占用 2 到 4 KB。</translation>
    </message>
    <message>
        <source>The archives that the project was imported from, which take the place of the network. Set by `gossamer import`.</source>
        <translation>项目由这些存档导入，由它们代替网络。由 `gossamer import` 设置。</translation>
    </message>
    <message>
        <source>Fetch and read pages on the nodes of a [cluster](how-to/cluster.md): the address of a Dask scheduler, `tcp://HOST:PORT` or `tls://HOST:PORT`, its [name](how-to/cluster.md#give-clusters-names), or `local:N` for N nodes on this machine. Empty: on this machine, without a cluster. It is not saved in projects: choose it each time.</source>
        <translation>在[集群](how-to/cluster.md)的节点上抓取和读取页面：Dask 调度器的地址，`tcp://HOST:PORT` 或 `tls://HOST:PORT`；集群的[名称](how-to/cluster.md#给集群命名)；`local:N` 表示本机上的 N 个节点。留空：在本机上，不使用集群。它不保存在项目中，每次重新选择。</translation>
    </message>
    <message>
        <source>Keep what servers send in WARC files beside the project, byte for byte, so that pages can be looked at and audited again without requests to the site.</source>
        <translation>将服务器发送的内容逐字节保存到项目旁的 WARC 文件中，这样无需再次请求网站即可查看页面并重新审计。</translation>
    </message>
    <message>
        <source>What the archive keeps: `html` (pages, redirects, errors, sitemaps and robots.txt), also `resources` (images, style sheets, scripts and fonts that pages load), or `everything` (other files of the site, too). What is not a page is downloaded for it; otherwise only its size is requested.</source>
        <translation>存档保存的内容：`html`（页面、重定向、错误、站点地图和 robots.txt），另加 `resources`（页面加载的图片、样式表、脚本和字体），或 `everything`（还有网站的其他文件）。不是页面的内容会为此下载；否则只查询其大小。</translation>
    </message>
    <message>
        <source>Bytes of a body, as it was sent, that the archive keeps at most: the beginning of larger ones, marked as truncated.</source>
        <translation>存档对每个正文最多保存的字节数（按发送时的大小）：超出时只保存开头部分，并标记为已截断。</translation>
    </message>
    <message>
        <source>Keep the DOM of each rendered page as its scripts have left it, beside the response. Of one that is larger than `archive_max_bytes`, the beginning is kept. Pages that are not rendered have none.</source>
        <translation>在响应之外，还保存每个渲染后页面的 DOM，即其脚本运行之后的样子。超过 `archive_max_bytes` 的只保存开头部分。未渲染的页面没有 DOM。</translation>
    </message>
    <message>
        <source>Keep passwords, cookies and other secrets of requests in the archive. Without it, their values are left out, and so are those of the cookies that a server sets in response to such a request.</source>
        <translation>在存档中保留请求的密码、Cookie 和其他机密。不启用时会略去它们的值，服务器在响应这类请求时设置的 Cookie 的值也会略去。</translation>
    </message>
    <message>
        <source>Content types that the archive keeps, of what it would keep otherwise: such as `text/html`, `application/pdf` or `image/*`. Without any, all are kept. Redirects, errors, sitemaps and robots.txt are kept whatever their type. A file of another type is not downloaded for the archive. Files that are not pages also need `resources` or `everything`.</source>
        <translation>在存档本来会保存的内容中，只保存这些内容类型：例如 `text/html`、`application/pdf` 或 `image/*`。不指定时保存所有类型。重定向、错误、站点地图和 robots.txt 不论类型都会保存。其他类型的文件不会为存档下载。不是页面的文件还需要 `resources` 或 `everything`。</translation>
    </message>
    <message>
        <source>Where the archive of a crawl on a cluster is: `collect` brings what nodes write to the project, `leave` leaves it on the nodes, in the folder that their environment variable `GOSSAMER_ARCHIVES` names, by default `archives` in the data folder. The project and `gossamer info` show which node has what.</source>
        <translation>在集群上抓取时存档放在哪里：`collect` 把各节点写的内容收集到项目旁边，`leave` 留在节点上，位于节点的环境变量 `GOSSAMER_ARCHIVES` 指定的文件夹，默认为数据文件夹中的 `archives`。项目和 `gossamer info` 会说明哪个节点有什么。</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Default:&#xa0;{value}.</source>
        <translation>默认值：{value}。</translation>
    </message>
    <message>
        <source>Reset to default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>{setting}: reset to default</source>
        <translation>{setting}：恢复默认值</translation>
    </message>
</context>
<context>
    <name>SettingsController</name>
    <message>
        <source>Enter the site&apos;s URL first: credentials are stored per site.</source>
        <translation>请先输入网站地址：凭据按网站保存。</translation>
    </message>
    <message>
        <source>Enter them again</source>
        <translation>重新输入</translation>
    </message>
    <message>
        <source>Changed for this crawl: {settings}.</source>
        <translation>已在此次抓取中更改：{settings}。</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Sections</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Default settings</source>
        <translation>默认设置</translation>
    </message>
    <message>
        <source>Settings of the next crawl</source>
        <translation>下次抓取的设置</translation>
    </message>
    <message>
        <source>Settings of this crawl</source>
        <translation>此次抓取的设置</translation>
    </message>
    <message>
        <source>Changes apply to this crawl immediately. Greyed-out settings cannot change once a crawl has started: choose “New crawl with these settings” in the menu File.</source>
        <translation>更改立即生效，且仅限此次抓取。灰色的项目在抓取开始后不能更改：请在“文件”菜单中选择“用当前设置新建抓取”。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>System default</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>No settings match.</source>
        <translation>没有包含这些文字的设置。</translation>
    </message>
    <message>
        <source>Window &amp;language</source>
        <translation>窗口语言(&amp;L)</translation>
    </message>
    <message>
        <source>New crawls start with these settings.</source>
        <translation>新的抓取使用这些设置。</translation>
    </message>
    <message>
        <source>For the next crawl only. The defaults do not change.</source>
        <translation>仅用于下次抓取；默认设置保持不变。</translation>
    </message>
</context>
<context>
    <name>SettingsForm</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户名</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Cookies</source>
        <translation>Cookie</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>No effect without “{setting}”.</source>
        <translation>不启用“{setting}”时不起作用。</translation>
    </message>
    <message>
        <source>name=value, one per line.</source>
        <translation>每行一个，写成 name=value。</translation>
    </message>
    <message>
        <source>Never send the password itself (Digest only)</source>
        <translation>绝不发送密码本身（仅用摘要验证）</translation>
    </message>
    <message>
        <source>Certificate</source>
        <translation>证书</translation>
    </message>
    <message>
        <source>PEM or PKCS#12 file.</source>
        <translation>PEM 或 PKCS#12 文件。</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>证书密码</translation>
    </message>
    <message>
        <source>Of the certificate.</source>
        <translation>证书的密码。</translation>
    </message>
    <message>
        <source>HTTP authentication. For a form, log in above.</source>
        <translation>HTTP 认证。网页表单请用上方的登录。</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.p12 *.pfx)</source>
        <translation>证书 (*.pem *.crt *.p12 *.pfx)</translation>
    </message>
</context>
<context>
    <name>SettingsWarningNotice</name>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Expand: {levels}</source>
        <translation>展开：{levels}</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Search keys and what they do</source>
        <translation>搜索按键和操作</translation>
    </message>
    <message>
        <source>No key does this.</source>
        <translation>没有执行此操作的按键。</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>打印…</translation>
    </message>
</context>
<context>
    <name>ShowPanelsButton</name>
    <message>
        <source>Show {name} (Ctrl+3)</source>
        <translation>显示{name}（Ctrl+3）</translation>
    </message>
</context>
<context>
    <name>SiteFilesPane</name>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>What has changed</source>
        <translation>变化内容</translation>
    </message>
    <message>
        <source>Robots.txt and sitemaps that differ</source>
        <translation>有差异的 robots.txt 和站点地图</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Robots.txt before and after</source>
        <translation>robots.txt 之前与之后</translation>
    </message>
    <message>
        <source>The texts are the same.</source>
        <translation>文本相同。</translation>
    </message>
    <message>
        <source>No robots.txt and no sitemap has changed.</source>
        <translation>robots.txt 和站点地图都没有变化。</translation>
    </message>
    <message>
        <source>The texts of sitemaps are not kept.</source>
        <translation>不保存站点地图的文本。</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
</context>
<context>
    <name>SnippetExportController</name>
    <message>
        <source>Export edited search results</source>
        <translation>导出已编辑的搜索结果</translation>
    </message>
    <message>
        <source>CSV files (*.csv)</source>
        <translation>CSV 文件 (*.csv)</translation>
    </message>
    <message>
        <source>Exported to {path}</source>
        <translation>已导出到 {path}</translation>
    </message>
</context>
<context>
    <name>SnippetView</name>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln 个字符</numerusform>
        </translation>
    </message>
    <message>
        <source>{width} of {most} px</source>
        <translation>{width} / {most} 像素</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>too long</source>
        <translation>过长</translation>
    </message>
    <message>
        <source>short</source>
        <translation>过短</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>合适</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Search result preview</source>
        <translation>搜索结果预览</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Desktop</source>
        <translation>桌面端</translation>
    </message>
    <message>
        <source>Mobile</source>
        <translation>移动设备</translation>
    </message>
    <message numerus="yes">
        <source>Export %Ln edited page(s)…</source>
        <translation>
            <numerusform>导出 %Ln 个已编辑的页面…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SourceTab</name>
    <message>
        <source>As fetched now</source>
        <translation>现在抓取的</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>已存档的</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Which page source to show</source>
        <translation>显示哪一份页面源代码</translation>
    </message>
    <message>
        <source>Compare the archived source with the current one</source>
        <translation>将存档的源代码与当前的源代码对照</translation>
    </message>
</context>
<context>
    <name>SourceView</name>
    <message>
        <source>Page source</source>
        <translation>页面源代码</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>抓取</translation>
    </message>
    <message>
        <source>Next link</source>
        <translation>下一个链接</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>标头</translation>
    </message>
    <message>
        <source>Fetch again</source>
        <translation>重新抓取</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>已截断</translation>
    </message>
    <message>
        <source>Link {n} of {count}</source>
        <translation>第 {n} 个链接，共 {count} 个</translation>
    </message>
    <message>
        <source>Request and response headers</source>
        <translation>发送的标头与返回的标头</translation>
    </message>
    <message>
        <source>Fetching…</source>
        <translation>正在请求服务器…</translation>
    </message>
    <message>
        <source>Select a URL to see its page source.</source>
        <translation>选择一个网址以查看其页面源代码。</translation>
    </message>
    <message>
        <source>The content type is {type}; only text can be shown.</source>
        <translation>响应的类型为 {type}：仅显示文本。</translation>
    </message>
    <message>
        <source>The response is empty.</source>
        <translation>响应为空。</translation>
    </message>
    <message>
        <source>The link is not in this page source</source>
        <translation>此源代码中没有该链接</translation>
    </message>
    <message>
        <source>Line {n} is not in the part shown</source>
        <translation>第 {n} 行超出了显示的范围</translation>
    </message>
    <message>
        <source>Line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>Press Fetch to request this page again, as the crawl does.</source>
        <translation>按“抓取”可像抓取时一样重新向服务器请求此页面。</translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>Speed over the last minute</source>
        <translation>最近一分钟的速度</translation>
    </message>
</context>
<context>
    <name>SqlController</name>
    <message>
        <source>This crawl does not know {url}.</source>
        <translation>此次抓取中没有 {url}。</translation>
    </message>
</context>
<context>
    <name>SqlEditor</name>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
</context>
<context>
    <name>SqlWindow</name>
    <message>
        <source>SQL console</source>
        <translation>SQL 控制台</translation>
    </message>
    <message>
        <source>&amp;Templates</source>
        <translation>模板(&amp;T)</translation>
    </message>
    <message>
        <source>R&amp;ecent queries</source>
        <translation>最近的查询(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Why is it slow?</source>
        <translation>为什么慢？(&amp;W)</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>导出(&amp;X)…</translation>
    </message>
    <message>
        <source>SQL console: {project}</source>
        <translation>SQL 控制台：{project}</translation>
    </message>
    <message>
        <source>Ctrl+Enter runs the query. It only reads.</source>
        <translation>按 Ctrl+Enter 运行查询。查询只读取数据。</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) saved to {path}</source>
        <translation>
            <numerusform>已将 %Ln 行保存到 {path}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %Ln rows, in {time}; export for all.</source>
        <translation>
            <numerusform>前 %Ln 行，用时 {time}；导出可得到全部。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) in {time}</source>
        <translation>
            <numerusform>%Ln 行，用时 {time}</numerusform>
        </translation>
    </message>
    <message>
        <source>Export result</source>
        <translation>导出查询结果</translation>
    </message>
    <message>
        <source>Run what is selected, or the whole query (Ctrl+Enter)</source>
        <translation>运行选中的部分，或整个查询（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>How SQLite runs the query, which steps take long, and what makes it faster</source>
        <translation>SQLite 如何执行查询、哪些步骤耗时较长、怎样加快</translation>
    </message>
    <message>
        <source>Query plan</source>
        <translation>查询计划</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>查询结果</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rows appear here. Start with a template, or type a query.</source>
        <translation>行会显示在这里。可先使用一个模板，或输入查询。</translation>
    </message>
    <message>
        <source>No rows.</source>
        <translation>没有行。</translation>
    </message>
    <message>
        <source>“Why is it slow?” shows here how SQLite runs the query, and what makes it faster.</source>
        <translation>“为什么慢？”会在此处显示 SQLite 如何执行查询，以及怎样加快。</translation>
    </message>
    <message>
        <source>the audit has not seen all of this crawl, so issues are missing</source>
        <translation>审计尚未涵盖此次抓取的全部内容，因此缺少部分问题</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>&amp;Workers</source>
        <translation>并发数(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Redirect limit</source>
        <translation>重定向上限(&amp;R)</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Crawls folder</source>
        <translation>抓取文件夹</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>方案(&amp;P)</translation>
    </message>
    <message>
        <source>Enter them again</source>
        <translation>重新输入</translation>
    </message>
    <message>
        <source>See every page of a website, and what to fix on it.</source>
        <translation>看清网站的每个页面，以及需要修正之处。</translation>
    </message>
    <message>
        <source>Forget login</source>
        <translation>清除登录</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
</context>
<context>
    <name>StartSettings</name>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>另外 %Ln 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln setting(s) differ from the defaults: {names}.</source>
        <translation>
            <numerusform>有 %Ln 项设置与默认设置不同：{names}。</numerusform>
        </translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The credentials you entered are for {sites} and are not sent to {host}.</source>
        <translation>输入的登录信息只用于 {sites}，不会发送给 {host}。</translation>
    </message>
    <message>
        <source>From project {project}.</source>
        <translation>取自项目 {project}。</translation>
    </message>
</context>
<context>
    <name>StoredPageView</name>
    <message>
        <source>Stored {moment}</source>
        <translation>存档于 {moment}</translation>
    </message>
    <message>
        <source>without scripts and styles</source>
        <translation>不含脚本和样式</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>已截断</translation>
    </message>
    <message>
        <source>Reading the archive…</source>
        <translation>正在读取存档…</translation>
    </message>
    <message>
        <source>The archived version of the selected page appears here.</source>
        <translation>所选页面在存档中的样子显示在这里。</translation>
    </message>
    <message>
        <source>The archive does not contain this page. To keep pages, switch on the setting Keep pages and crawl again.</source>
        <translation>存档中没有此页面。请在设置中启用“保存页面”后抓取，以保留页面。</translation>
    </message>
    <message>
        <source>The stored page has no text.</source>
        <translation>存储的页面没有文本。</translation>
    </message>
    <message>
        <source>{address} is not in this crawl.</source>
        <translation>{address} 不在此次抓取中。</translation>
    </message>
    <message>
        <source>As a browser shows it</source>
        <translation>如浏览器所示</translation>
    </message>
    <message>
        <source>Text and images</source>
        <translation>文本和图片</translation>
    </message>
    <message>
        <source>How to show the stored page</source>
        <translation>存储页面的显示方式</translation>
    </message>
    <message>
        <source>without scripts</source>
        <translation>不含脚本</translation>
    </message>
</context>
<context>
    <name>StoredSourceView</name>
    <message>
        <source>Fetch and compare</source>
        <translation>抓取并比较</translation>
    </message>
    <message>
        <source>Fetch and compare again</source>
        <translation>重新抓取并比较</translation>
    </message>
    <message>
        <source>Only differences</source>
        <translation>仅显示差异</translation>
    </message>
    <message>
        <source>Stored page source</source>
        <translation>存档的页面源代码</translation>
    </message>
    <message>
        <source>Differences of the page sources</source>
        <translation>页面源代码的差异</translation>
    </message>
    <message>
        <source>The sources are the same, except for white space.</source>
        <translation>除空白字符外，两份源代码相同。</translation>
    </message>
    <message>
        <source>The compared parts are the same; the sources continue after them.</source>
        <translation>已比较的部分相同；源代码在其后还有内容。</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>已存档的</translation>
    </message>
    <message>
        <source>As fetched now</source>
        <translation>现在抓取的</translation>
    </message>
    <message>
        <source>Stored {moment}</source>
        <translation>存档于 {moment}</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>已截断</translation>
    </message>
    <message>
        <source>same content as an earlier record</source>
        <translation>内容与较早的记录相同</translation>
    </message>
    <message>
        <source>Reading the archive…</source>
        <translation>正在读取存档…</translation>
    </message>
    <message>
        <source>The content type is {type}; only text can be shown.</source>
        <translation>内容类型为 {type}；只能显示文本。</translation>
    </message>
    <message>
        <source>The stored response is empty.</source>
        <translation>存档的响应为空。</translation>
    </message>
    <message>
        <source>Fetching…</source>
        <translation>正在抓取…</translation>
    </message>
    <message>
        <source>Press Fetch and compare to request this page again, as the crawl does, and see what has changed.</source>
        <translation>按“抓取并比较”可像抓取时一样重新向服务器请求此页面，并查看有何变化。</translation>
    </message>
</context>
<context>
    <name>StructuredData</name>
    <message>
        <source>Cannot be parsed: {detail}</source>
        <translation>无法解析：{detail}</translation>
    </message>
    <message>
        <source>No @context, so the vocabulary is unknown</source>
        <translation>没有 @context，因此不知道使用哪个词汇表</translation>
    </message>
    <message>
        <source>schema.org has no type {name}</source>
        <translation>schema.org 没有类型 {name}</translation>
    </message>
    <message>
        <source>schema.org has no property {name}</source>
        <translation>schema.org 没有属性 {name}</translation>
    </message>
    <message>
        <source>{subject} has no property {name}</source>
        <translation>{subject} 没有属性 {name}</translation>
    </message>
    <message>
        <source>superseded by {detail}</source>
        <translation>已被 {detail} 取代</translation>
    </message>
    <message>
        <source>missing, required for {subject}</source>
        <translation>缺失，{subject} 要求有此属性</translation>
    </message>
    <message>
        <source>missing, recommended for {subject}</source>
        <translation>缺失，{subject} 建议有此属性</translation>
    </message>
    <message>
        <source>(no type)</source>
        <translation>（没有类型）</translation>
    </message>
    <message>
        <source>all required properties are there</source>
        <translation>必需的属性齐全</translation>
    </message>
    <message>
        <source>required properties are missing</source>
        <translation>缺少必需的属性</translation>
    </message>
    <message>
        <source>Rich result</source>
        <translation>富媒体搜索结果</translation>
    </message>
    <message>
        <source>More rows are not shown.</source>
        <translation>其余的行未显示。</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>{one} or {other}</source>
        <translation>{one} 或 {other}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln item(s)</source>
        <translation>
            <numerusform>%Ln 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>the page was cut off</source>
        <translation>页面被截断</translation>
    </message>
</context>
<context>
    <name>StructuredDataView</name>
    <message>
        <source>Fetch</source>
        <translation>抓取</translation>
    </message>
    <message>
        <source>Fetch again</source>
        <translation>重新抓取</translation>
    </message>
    <message>
        <source>Fetching…</source>
        <translation>正在抓取…</translation>
    </message>
    <message>
        <source>The structured data of the selected page appears here.</source>
        <translation>所选页面的结构化数据显示在此处。</translation>
    </message>
    <message>
        <source>This page has no structured data.</source>
        <translation>该页面没有结构化数据。</translation>
    </message>
    <message>
        <source>Items are not stored. Press Fetch to request this page again, as the crawl does.</source>
        <translation>项目文件不保存结构化数据的内容。点击“抓取”可按抓取的方式再次请求该页面。</translation>
    </message>
    <message>
        <source>When it was crawled, the page had: {types}.</source>
        <translation>抓取时，该页面有：{types}。</translation>
    </message>
    <message>
        <source>Item or property</source>
        <translation>项或属性</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Structured data</source>
        <translation>结构化数据</translation>
    </message>
</context>
<context>
    <name>SummaryView</name>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Select a URL to see its details.</source>
        <translation>选择一个网址以查看其详细信息。</translation>
    </message>
</context>
<context>
    <name>TabRow</name>
    <message>
        <source>More tabs: choose which are in sight</source>
        <translation>更多选项卡：选择要显示的选项卡</translation>
    </message>
    <message>
        <source>More tabs</source>
        <translation>更多选项卡</translation>
    </message>
    <message>
        <source>View</source>
        <translation>要显示的行</translation>
    </message>
    <message>
        <source>Reset tabs</source>
        <translation>重置选项卡</translation>
    </message>
</context>
<context>
    <name>TableStatus</name>
    <message>
        <source>URLs appear here as they are found.</source>
        <translation>网站的每个网址一经发现就会显示在这里。</translation>
    </message>
    <message>
        <source>No rows match the filter.</source>
        <translation>没有符合筛选条件的内容。</translation>
    </message>
</context>
<context>
    <name>TableSummary</name>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln selected</source>
        <translation>
            <numerusform>已选 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown} of %Ln row(s)</source>
        <translation>
            <numerusform>{shown}/%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>{rows}. Filter to see the rest.</source>
        <translation>{rows}。还有更多：请筛选后查看。</translation>
    </message>
    <message>
        <source>average: {time}</source>
        <translation>平均 {time}</translation>
    </message>
    <message>
        <source>The search index was damaged and is being rebuilt: {percent}</source>
        <translation>搜索索引已损坏，正在重新建立：{percent}</translation>
    </message>
    <message>
        <source>Preparing the search: {percent}</source>
        <translation>正在准备搜索：{percent}</translation>
    </message>
</context>
<context>
    <name>TableView</name>
    <message>
        <source>About the column {name}</source>
        <translation>关于列“{name}”</translation>
    </message>
</context>
<context>
    <name>TextComparisons</name>
    <message>
        <source>In the HTML</source>
        <translation>HTML 中</translation>
    </message>
    <message>
        <source>In the rendered page</source>
        <translation>渲染后的页面中</translation>
    </message>
    <message>
        <source>Scripts change nothing.</source>
        <translation>脚本没有更改任何内容。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>DOM</source>
        <translation>DOM 结构</translation>
    </message>
    <message>
        <source>DOM then and now</source>
        <translation>DOM 今昔对比</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>已存档的</translation>
    </message>
    <message>
        <source>As rendered now</source>
        <translation>现在渲染的</translation>
    </message>
    <message>
        <source>The stored DOM and the present one are the same.</source>
        <translation>已存档的 DOM 与现在的相同。</translation>
    </message>
</context>
<context>
    <name>TextFilter</name>
    <message>
        <source>Filter by text</source>
        <translation>按文字筛选</translation>
    </message>
    <message>
        <source>Use a regular expression (Alt+R)</source>
        <translation>将文字视为正则表达式 (Alt+R)</translation>
    </message>
    <message>
        <source>Show only rows with this text in the URL or title</source>
        <translation>仅显示完整网址或标题中包含此文本的行</translation>
    </message>
    <message>
        <source>Regular expression for the whole URL</source>
        <translation>匹配完整网址的正则表达式</translation>
    </message>
    <message>
        <source>Matches the whole URL, such as https://example.com/page, and the title</source>
        <translation>在完整网址（如 https://example.com/page）和标题中查找</translation>
    </message>
    <message>
        <source>Search in the texts of pages (Ctrl+Shift+F)</source>
        <translation>在网页文本中搜索 (Ctrl+Shift+F)</translation>
    </message>
    <message>
        <source>Search in the texts of pages</source>
        <translation>在网页文本中搜索</translation>
    </message>
    <message>
        <source>Words; &quot;next to each other&quot;; begin*; -without; red OR blue; in:title red; status:200 language:en segment:Blog folder:/docs/</source>
        <translation>词语；&quot;相邻的词语&quot;；开头*；-不含；red OR blue；in:title red；status:200 language:en segment:Blog folder:/docs/</translation>
    </message>
</context>
<context>
    <name>ThreadWork</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>TimeSeries</name>
    <message>
        <source>peak: {n}</source>
        <translation>最高：{n}</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>&amp;Workers</source>
        <translation>并发数(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Redirect limit</source>
        <translation>重定向上限(&amp;R)</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>S&amp;kip</source>
        <translation>跳过(&amp;K)</translation>
    </message>
    <message>
        <source>{step} of {steps}</source>
        <translation>第 {step} 步，共 {steps} 步</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完成(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>下一步(&amp;N)</translation>
    </message>
</context>
<context>
    <name>TourController</name>
    <message>
        <source>Type the address of a website here, such as example.com.</source>
        <translation>在此输入网站地址，例如 example.com。</translation>
    </message>
    <message>
        <source>Start the crawl here. Pause or cancel it at any time: what was found is kept.</source>
        <translation>在此开始抓取。可随时暂停或取消，已找到的内容会保留。</translation>
    </message>
    <message>
        <source>The tab Issues above the table says what is wrong with the site, why it matters and how to fix it.</source>
        <translation>表格上方的“问题”选项卡说明网站有哪些问题、为何重要以及如何修复。</translation>
    </message>
    <message>
        <source>Export in the menu File saves tables for other programs. F1 opens the help about whatever has the focus.</source>
        <translation>“文件”菜单中的“导出”可保存表格，供其他程序使用。按 F1 打开当前焦点所在处的帮助。</translation>
    </message>
    <message>
        <source>No site at hand? The demo site shows everything without requests to the network.</source>
        <translation>手边没有网站？演示网站可展示全部功能，不会向网络发送请求。</translation>
    </message>
    <message>
        <source>F1 opens the help about whatever has the focus. The tour goes on with your first crawl.</source>
        <translation>F1 会打开当前焦点所在内容的帮助。第一次抓取时导览会继续。</translation>
    </message>
    <message>
        <source>Here you see how far the crawl is. Click a number to see its rows.</source>
        <translation>这里显示抓取的进度。单击数字可查看对应的行。</translation>
    </message>
    <message>
        <source>The tree shows which page was found on which.</source>
        <translation>树显示每个页面是在哪个页面上发现的。</translation>
    </message>
    <message>
        <source>Select a row, and the tabs below show all that is known of it: its links, its response, its texts.</source>
        <translation>选择一行，下方的选项卡会显示它的全部已知内容：链接、响应和文本。</translation>
    </message>
</context>
<context>
    <name>TrapLimitNotice</name>
    <message>
        <source>Raise the limit and continue</source>
        <translation>继续：提高上限</translation>
    </message>
</context>
<context>
    <name>Tree</name>
    <message numerus="yes">
        <source>%Ln found here</source>
        <translation>
            <numerusform>在此发现 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>folder, %Ln URL(s)</source>
        <translation>
            <numerusform>目录，%Ln 个网址</numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s); worst: {verdict}</source>
        <translation>
            <numerusform>%Ln 个错误；最严重的：{verdict}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TreePanel</name>
    <message numerus="yes">
        <source>%Ln level(s)</source>
        <translation>
            <numerusform>%Ln 级</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrendChart</name>
    <message>
        <source>Click to see or change it.</source>
        <translation>单击可查看或修改。</translation>
    </message>
    <message>
        <source>Click to note something about this day.</source>
        <translation>单击可为这一天添加备注。</translation>
    </message>
    <message>
        <source>since {time}</source>
        <translation>自 {time}</translation>
    </message>
</context>
<context>
    <name>TrialDialog</name>
    <message>
        <source>Try on a page</source>
        <translation>在一个页面上试用</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>&amp;Page</source>
        <translation>页面(&amp;P)</translation>
    </message>
    <message>
        <source>Tried on {url}.</source>
        <translation>已在 {url} 上试用。</translation>
    </message>
    <message>
        <source>Fetching the page…</source>
        <translation>正在获取页面…</translation>
    </message>
    <message>
        <source>{ms} ms</source>
        <translation>{ms} 毫秒</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>UpdateNotice</name>
    <message>
        <source>Should Gossamer check for a newer version once a day? It sends its version number and nothing else.</source>
        <translation>要让 Gossamer 每天检查一次新版本吗？它只发送自己的版本号，不发送其他内容。</translation>
    </message>
    <message>
        <source>Yes, look</source>
        <translation>好，检查</translation>
    </message>
    <message>
        <source>No</source>
        <translation>不</translation>
    </message>
    <message>
        <source>Gossamer {latest} is available. This is {version}.</source>
        <translation>Gossamer {latest} 已发布。当前版本为 {version}。</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>It cannot be found out whether there is a newer version. Check the network, then try again.</source>
        <translation>无法确定是否有新版本。请检查网络，然后重试。</translation>
    </message>
    <message>
        <source>Gossamer {version} is the latest version.</source>
        <translation>Gossamer {version} 是最新版本。</translation>
    </message>
</context>
<context>
    <name>UrlField</name>
    <message>
        <source>URL of the website to crawl</source>
        <translation>要抓取的网站网址</translation>
    </message>
    <message>
        <source>Website URL, e.g. example.com</source>
        <translation>网站网址，例如 example.com</translation>
    </message>
</context>
<context>
    <name>UrlListDialog</name>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>From &amp;file…</source>
        <translation>从文件打开(&amp;F)…</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>清空(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>显示(&amp;S)</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Line {number}: {why}</source>
        <translation>第 {number} 行：{why}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>URL list</source>
        <translation>网址列表</translation>
    </message>
    <message>
        <source>&amp;Only these URLs</source>
        <translation>仅这些网址(&amp;O)</translation>
    </message>
    <message>
        <source>Follows redirects but not links.</source>
        <translation>跟踪重定向，不跟踪链接。</translation>
    </message>
    <message>
        <source>&amp;Crawl from these URLs</source>
        <translation>从这些网址开始抓取(&amp;C)</translation>
    </message>
    <message>
        <source>Follows links according to the settings.</source>
        <translation>在设置允许的范围内跟踪链接。</translation>
    </message>
    <message>
        <source>The list is too long to edit here. Only the beginning is shown; edit the file to change it.</source>
        <translation>列表较长，只显示开头部分。如需更改，请编辑该文件。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln URL(s)</source>
        <translation>
            <numerusform>%Ln 个网址</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln duplicate(s)</source>
        <translation>
            <numerusform>%Ln 个重复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln invalid line(s): {numbers}</source>
        <translation>
            <numerusform>%Ln 行不是网址：第 {numbers} 行</numerusform>
        </translation>
    </message>
    <message>
        <source>The clipboard has no text. Copy the URLs first.</source>
        <translation>剪贴板上没有文本：请先复制网址。</translation>
    </message>
    <message>
        <source>URL lists (*.txt *.csv *.tsv);;All files (*)</source>
        <translation>网址列表 (*.txt *.csv *.tsv);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a URL list</source>
        <translation>打开网址列表</translation>
    </message>
    <message>
        <source>URLs, one per line</source>
        <translation>网址，每行一个</translation>
    </message>
</context>
<context>
    <name>UrlNotes</name>
    <message>
        <source>No notes about this URL. They are kept from crawl to crawl.</source>
        <translation>没有关于此网址的备注。备注会在各次抓取之间保留。</translation>
    </message>
    <message>
        <source>Notes about the selected URL appear here.</source>
        <translation>所选网址的备注会显示在此处。</translation>
    </message>
</context>
<context>
    <name>UrlSummary</name>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Technical detail</source>
        <translation>技术细节</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message numerus="yes">
        <source>from %Ln page(s)</source>
        <translation>
            <numerusform>来自 %Ln 个页面</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln character(s)</source>
        <translation>
            <numerusform>%Ln 个字符</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln other reference(s)</source>
        <translation>
            <numerusform>以及 %Ln 个其他引用</numerusform>
        </translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>（空）</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>已截断</translation>
    </message>
    <message>
        <source>{size} transferred</source>
        <translation>传输 {size}</translation>
    </message>
    <message>
        <source>{time} to the first byte</source>
        <translation>首字节 {time}</translation>
    </message>
    <message>
        <source>{moment} (it had ended)</source>
        <translation>{moment}（当时已到期）</translation>
    </message>
    <message numerus="yes">
        <source>{names} and %Ln more</source>
        <translation>
            <numerusform>{names} 等另外 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Certificate valid until</source>
        <translation>证书有效期至</translation>
    </message>
    <message>
        <source>Certificate issued by</source>
        <translation>证书颁发者</translation>
    </message>
    <message>
        <source>Certificate for</source>
        <translation>证书适用于</translation>
    </message>
    <message>
        <source>Certificate not valid</source>
        <translation>证书无效</translation>
    </message>
</context>
<context>
    <name>ValueTree</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>Broken for every visitor</source>
        <translation>对所有访问者均失效</translation>
    </message>
    <message>
        <source>Uncertain: may be temporary</source>
        <translation>不确定：可能是暂时的</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Redirects to another URL</source>
        <translation>指向另一个网址</translation>
    </message>
    <message>
        <source>Refused: the server blocks crawlers, but may let visitors in</source>
        <translation>被拒绝：服务器拒绝爬虫，普通访客可能仍可访问</translation>
    </message>
    <message>
        <source>Not requested</source>
        <translation>未请求</translation>
    </message>
    <message>
        <source>No response yet</source>
        <translation>尚无响应</translation>
    </message>
</context>
<context>
    <name>ViolationTree</name>
    <message>
        <source>Rule and elements</source>
        <translation>规则和元素</translation>
    </message>
    <message>
        <source>Snippet</source>
        <translation>代码片段</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Accessibility</source>
        <translation>无障碍</translation>
    </message>
    <message numerus="yes">
        <source>%Ln element(s)</source>
        <translation>
            <numerusform>%Ln 个元素</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>另外 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The page breaks none of the rules that were checked.</source>
        <translation>页面没有违反任何已检查的规则。</translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <source>Crawl {host} now</source>
        <translation>立即抓取 {host}</translation>
    </message>
    <message>
        <source>Crawl the list now</source>
        <translation>立即抓取列表</translation>
    </message>
    <message>
        <source>The current crawl is unfinished. If you start another, it is paused and saved.</source>
        <translation>当前显示的抓取尚未结束。如果开始另一个抓取，它会暂停并保留。</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>{one} {next}</source>
        <translation>{one}{next}</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}：{value}</translation>
    </message>
    <message numerus="yes">
        <source>{host} and %Ln more</source>
        <translation>
            <numerusform>{host} 等（另有 %Ln 个）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Browser</name>
    <message>
        <source>Stored page</source>
        <translation>存储的页面</translation>
    </message>
</context>
</TS>

// URLs that no webhook may call, and URLs that a webhook may call, for the tests of the rule and of
// the API.

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Returns an https URL for each host. A host may have a port and a path. */
const hosts = (text: string): string[] =>
  words(text).map((host) => `https://${host}${host.includes("/") ? "" : "/"}`);

/** Loopback URLs in several spellings. */
export const LOOPBACK_URLS = [
  ...hosts(`
    127.0.0.1 127.0.0.1. 127.0.0.1:8443/hook 127.255.255.254 127.1 127.0.1 127.65535 2130706433
    2130706433. 0x7f000001 0X7F000001 0x7f.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.0x0.0.1
    0000000000000177.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 １２７.０.０.１ 127。0。0。1 127．0．0．1 ①②⑦.⓪.⓪.①
    𝟏𝟐𝟕.𝟎.𝟎.𝟏 [::1] [::1]:443 [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001]
    [::0.0.0.1] [::ffff:127.0.0.1] [::FFFF:7F00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:7f00:0001]
    localhost localhost. LOCALHOST LocalHost:3000 %6c%6f%63%61%6c%68%6f%73%74 ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ
    loc\u00adalhost local\u200bhost app.localhost a.b.localhost.
  `),
];

/**
 * URLs that are refused under any setting. Some of them are not even URLs for the platform's
 * parser.
 */
export const HOSTILE_URLS = [
  // Unspecified and "this network", which many systems take for loopback
  ...hosts("0 0.0.0.0 0.0.0.0. 0x0 00000000000 0.1.2.3 [::] [0:0:0:0:0:0:0:0] [::ffff:0.0.0.0]"),
  // Private
  ...hosts(`
    10.0.0.1 10.255.255.255 10.1 167772161 0xa000001 012.0.0.1 172.16.0.1 172.31.255.255
    2886729729 192.168.0.1 192.168.257 192.168.255.255 3232235777 0xc0a80101 0300.0250.1.1
    １９２。１６８．１．１ [::ffff:10.0.0.1] [::ffff:c0a8:101] [::ffff:172.16.0.1]
  `),
  // Link-local and metadata
  ...hosts(`
    169.254.0.1 169.254.170.2 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376
    169.254.43518 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] 100.100.100.200 168.63.129.16
    192.0.0.192 [fd00:ec2::254] metadata metadata.google.internal METADATA.GOOGLE.INTERNAL.
    metadata.goog metadata.tencentyun.com instance-data instance-data.ec2.internal
  `),
  "https://169.254.169.254/latest/meta-data/",
  // Carrier-grade NAT
  ...hosts("100.64.0.1 100.127.255.255"),
  // Documentation, benchmarks, protocol assignments, 6to4 relays
  ...hosts("192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.255 198.18.0.1 198.19.255.255 192.88.99.1"),
  // Multicast, reserved, broadcast
  ...hosts("224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 4294967295 0xffffffff"),
  // IPv6 that is not global unicast
  ...hosts(`
    [::8.8.8.8] [::7f00:1:1] [64:ff9b::127.0.0.1] [64:ff9b::8.8.8.8] [64:ff9b::a9fe:a9fe]
    [64:ff9b:1::1] [100::1] [fc00::1] [fd12:3456:789a::1]
    [fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff] [fe80::1] [fe80::1%25eth0] [fe80::1%eth0] [febf::1]
    [fec0::1] [ff02::1] [ff0e::1] [4000::1] [5f00::1]
  `),
  // Global unicast addresses that embed an IPv4 address, belong to a tunnel, or are for
  // documentation
  ...hosts(`
    [2002:7f00:1::] [2002:0808:0808::1] [2002:a9fe:a9fe::1] [2001::1]
    [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:2::1] [2001:10::1] [2001:20::1] [2001:db8::1]
    [3fff::1] [3fff:fff::1]
  `),
  // Host names of private networks
  ...hosts(`
    intranet router com printer.local PRINTER.LOCAL. local db.internal host.docker.internal:8080
    ip-10-0-0-1.ec2.internal nas.home.arpa 1.0.0.127.in-addr.arpa ipv4only.arpa wiki.corp nas.lan
    nas.home app.intranet localhost.localdomain kubernetes.default.svc
    kubernetes.default.svc.cluster.local expyuzz4wqqyqhjn.onion name.alt print\u00ader.lo\u00adcal
    printer.ｌｏｃａｌ printer。local printer%2elocal
  `),
  // URLs with user information before the host, which hides the real host from a reader
  ...hosts(`
    user@hooks.example.com user:secret@hooks.example.com :secret@hooks.example.com
    hooks.example.com@127.0.0.1 hooks.example.com:443@10.0.0.1 hooks.example.com%40127.0.0.1
  `),
  // Names that DNS cannot hold, and texts that are not URLs
  ...hosts(`
    hooks.example.com.. .hooks.example.com hooks..example.com -hooks.example.com
    ho_oks.example.com *.example.com hooks,example.com xn-- xn--a.example.com
    ${"a".repeat(64)}.example.com ${"a.".repeat(127)}example.com 1.2.3.4.5 256.256.256.256
    hooks.example.0x7f 99999999999 [::1 [1.2.3.4] [:::1] [::ffff:127.0.0.1.1]
    hooks.example.com:65536 hooks.example.com:port
  `),
  ...words("https:// https://?"),
  // URLs with another scheme than https, and with http although no setting allows it
  ...words(`
    http://hooks.example.com/ HTTP://hooks.example.com/ http://8.8.8.8/ http://10.0.0.1/
    http://hooks.example.com@localhost/ ftp://hooks.example.com/ ws://hooks.example.com/
    wss://hooks.example.com/ file:///etc/passwd gopher://127.0.0.1:25/ javascript:alert(1)
    data:text/plain,x blob:https://hooks.example.com/1 mailto:ann@example.com
  `),
];

export const PUBLIC_URLS = [
  ...hosts(`
    hooks.example.com hooks.example.com./postern hooks.example.com:8443/a/b;c=d?x=1&y=%20#
    example.test/hook gone.invalid/hook a.b.c.d.example.co.uk hooks.postern.test.example.com
    notpostern.test localhost.example.com internal.example.com my.notlocal 10.example.com 8.8.8.8
    1.1.1.1:444 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0
    192.167.255.255 192.169.0.0 169.253.255.255 198.17.255.255 223.255.255.255
    [2606:4700:4700::1111] [2001:4860:4860::8888]:8443/hook [::ffff:8.8.8.8] xn--bcher-kva.example
    bücher.example/straße
  `),
  ...words("https://hooks.example.com HTTPS://Hooks.Example.COM/Path"),
];

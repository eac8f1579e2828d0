export interface CanonicalVector {
  readonly what: string;
  /** The implementation that produced the canonical form. */
  readonly by: string;
  /** `PrefixList` of the transform. */
  readonly prefixes: readonly string[];
  readonly xml: string;
  readonly canonical: string;
}

/**
 * Documents with the output of other implementations of Exclusive XML Canonicalization 1.0: `xmllint --exc-c14n` of libxml2
 * without a `PrefixList`, and `Canonicalizer.canonicalizeSubtree` of Apache Santuario with one. The outputs are unchanged, and
 * the two agree on every document that both can read.
 */
export const canonicalVectors: readonly CanonicalVector[] = [
  {
    what: 'namespaces where they are used',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<md:a xmlns:md="urn:md" xmlns:unused="urn:u" xmlns="urn:d" ID="x"><b/><md:c xmlns:md="urn:md"><d xmlns=""><md:e/></d></md:c><unused:f unused:g=""/></md:a>',
    canonical:
      '<md:a xmlns:md="urn:md" ID="x"><b xmlns="urn:d"></b><md:c><d><md:e></md:e></d></md:c><unused:f xmlns:unused="urn:u" unused:g=""></unused:f></md:a>',
  },
  {
    what: 'prefixes that take turns',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"><p:c xmlns:p="urn:1"/><q:d xmlns:q="urn:2" p:e=""/></p:b><p:f/></p:a>',
    canonical:
      '<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"><p:c xmlns:p="urn:1"></p:c><q:d xmlns:q="urn:2" p:e=""></q:d></p:b><p:f></p:f></p:a>',
  },
  {
    what: 'a default namespace that comes and goes',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<a xmlns="urn:1"><b xmlns=""><c xmlns="urn:1"><d xmlns="urn:2"/><e/></c><f/></b><p:g xmlns:p="urn:p"><h xmlns=""/></p:g></a>',
    canonical:
      '<a xmlns="urn:1"><b xmlns=""><c xmlns="urn:1"><d xmlns="urn:2"></d><e></e></c><f></f></b><p:g xmlns:p="urn:p"><h xmlns=""></h></p:g></a>',
  },
  {
    what: 'names of prototypes as prefixes',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<constructor:a xmlns:constructor="urn:c" xmlns:__proto__="urn:p" xmlns:toString="urn:t" __proto__:b="" constructor:__proto__="" valueOf=""><toString:c hasOwnProperty=""/><__proto__:d/></constructor:a>',
    canonical:
      '<constructor:a xmlns:__proto__="urn:p" xmlns:constructor="urn:c" valueOf="" constructor:__proto__="" __proto__:b=""><toString:c xmlns:toString="urn:t" hasOwnProperty=""></toString:c><__proto__:d></__proto__:d></constructor:a>',
  },
  {
    what: 'attributes by namespace, then by name',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<a xmlns:z="urn:1" xmlns:y="urn:2" xmlns:B="urn:1" y:a="1" z:b="2" B:a="3" B="4" b="5" a="6" _c="7" A-b="8" A.b="9" Ab="10" xml:lang="en" ID="x"/>',
    canonical:
      '<a xmlns:B="urn:1" xmlns:y="urn:2" xmlns:z="urn:1" A-b="8" A.b="9" Ab="10" B="4" ID="x" _c="7" a="6" b="5" xml:lang="en" B:a="3" z:b="2" y:a="1"></a>',
  },
  {
    what: 'attributes beyond U+FFFF',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<a xmlns="urn:x" \u{10000}="1" \u{f900}="2" \u{fdf0}="3" \u{efffd}="4" z="5" \u{d7fb}="6" \u{10000}\u{f900}="7" \u{10000}\u{10000}="8"/>',
    canonical:
      '<a xmlns="urn:x" z="5" \u{d7fb}="6" \u{f900}="2" \u{fdf0}="3" \u{10000}="1" \u{10000}\u{f900}="7" \u{10000}\u{10000}="8" \u{efffd}="4"></a>',
  },
  {
    what: 'prefixes beyond U+FFFF',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<a xmlns:\u{10000}="urn:1" xmlns:\u{f900}="urn:2" xmlns:z="urn:3" \u{10000}:b="1" \u{f900}:b="2" z:b="3"/>',
    canonical:
      '<a xmlns:z="urn:3" xmlns:\u{f900}="urn:2" xmlns:\u{10000}="urn:1" \u{10000}:b="1" \u{f900}:b="2" z:b="3"></a>',
  },
  {
    what: 'characters that are escaped',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<a b="&lt;&gt;&amp;&quot;&apos;&#9;&#10;&#13;&#x20;\u{a0}\u{2028}">&lt;&gt;&amp;"\'&#9;&#10;&#13;\u{a0}\u{2028}<![CDATA[<&>]]]]><![CDATA[>]]></a>',
    canonical:
      '<a b="&lt;>&amp;&quot;\'&#x9;&#xA;&#xD; \u{a0}\u{2028}">&lt;&gt;&amp;"\'\t\n&#xD;\u{a0}\u{2028}&lt;&amp;&gt;]]&gt;</a>',
  },
  {
    what: 'ends of lines and white space',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: "<a\r\n  b = ' c\td\r\ne '\r>\r\n<c />\r \t<d\n></d\n>\r\n</a>",
    canonical: '<a b=" c d e ">\n<c></c>\n \t<d></d>\n</a>',
  },
  {
    what: 'an XML declaration, and white space around',
    by: 'libxml2 2.9.14',
    prefixes: [],
    xml: '<?xml version="1.0" encoding="UTF-8"?>\r\n\r\n<a>\u{e9}\u{1f469}</a>\n\n',
    canonical: '<a>\u{e9}\u{1f469}</a>',
  },
  {
    what: 'inclusive prefixes',
    by: 'Apache Santuario 2.1.7',
    prefixes: ['xs', 'md', '#default'],
    xml: '<md:a xmlns:md="urn:md" xmlns:xs="urn:xs" xmlns:xsi="urn:xsi" xmlns="urn:d"><md:b xsi:type="xs:string"/><c xmlns:xs="urn:xs2" xmlns=""><d xmlns:xs="urn:xs2"/></c><md:e/></md:a>',
    canonical:
      '<md:a xmlns="urn:d" xmlns:md="urn:md" xmlns:xs="urn:xs"><md:b xmlns:xsi="urn:xsi" xsi:type="xs:string"></md:b><c xmlns="" xmlns:xs="urn:xs2"><d></d></c><md:e></md:e></md:a>',
  },
  {
    what: 'names of prototypes as inclusive prefixes',
    by: 'Apache Santuario 2.1.7',
    prefixes: ['constructor', '__proto__', 'hasOwnProperty', 'toString'],
    xml: '<a xmlns:__proto__="urn:p"><constructor:b xmlns:constructor="urn:c"><c xmlns:toString="urn:t" xmlns:__proto__="urn:q"/></constructor:b><d/></a>',
    canonical:
      '<a xmlns:__proto__="urn:p"><constructor:b xmlns:constructor="urn:c"><c xmlns:__proto__="urn:q" xmlns:toString="urn:t"></c></constructor:b><d></d></a>',
  },
  {
    what: 'inclusive prefixes of elements within',
    by: 'Apache Santuario 2.1.7',
    prefixes: ['p', 'q', 'none'],
    xml: '<a xmlns:p="urn:1"><b xmlns:q="urn:2"><p:c/><q:d xmlns:q="urn:3"><e/></q:d></b><f xmlns:p="urn:4"><p:g/></f></a>',
    canonical:
      '<a xmlns:p="urn:1"><b xmlns:q="urn:2"><p:c></p:c><q:d xmlns:q="urn:3"><e></e></q:d></b><f xmlns:p="urn:4"><p:g></p:g></f></a>',
  },
];

import { defineConfig } from 'vitepress';
import { slug } from '../../scripts/docs/markdown.ts';
import { searchBoost } from '../../scripts/docs/search.ts';
import { sidebar } from '../../scripts/docs/sidebar.ts';

// The address below which the site is served, such as /docs/.
const base = (process.env.DOCS_BASE ?? '/') as `/${string}/`;

/** The site of the documentation. Its pages are made by scripts/docs. It loads nothing from other hosts. */
export default defineConfig({
  title: 'Watchword',
  description: 'A self-hosted OAuth 2.0 and OpenID Connect server',
  lang: 'en',
  base,
  srcDir: '../artifacts/docs/pages',
  outDir: '../artifacts/docs/site',
  cacheDir: '../artifacts/docs/cache',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}watchword.svg` }]],
  // Addresses of the reader's own server.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify: slug },
    config(markdown) {
      // A long name can be broken after a part of it, so that tables stay narrow. Braces are those of a command.
      const render = markdown.renderer.rules.code_inline;
      markdown.renderer.rules.code_inline = (tokens, index, ...given) => {
        tokens[index]?.attrSet('v-pre', '');
        const html = render?.(tokens, index, ...given) ?? '';
        return html.replaceAll(/(?<=>[^<]*[_./=-])(?=\w[^<]*<)/g, '<wbr>');
      };
    },
  },
  themeConfig: {
    logo: '/watchword.svg',
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Settings', link: '/reference/settings' },
      { text: 'Commands', link: '/reference/commands' },
      { text: 'Comparison', link: '/comparison' },
      { text: 'Changelog', link: '/project/changelog' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: searchBoost } } },
    },
    externalLinkIcon: true,
  },
});

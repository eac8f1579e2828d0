import { posix } from 'node:path';
import { stringify } from 'yaml';
import { contentsFile, read, readContents } from './contents.ts';
import { siteLink } from './routes.ts';

// What most readers come for.
const doors = [
  {
    title: 'Log users in',
    details:
      'Give your OpenID Connect library one address. Pages for Auth.js, Express, Spring Boot, Grafana, Gitea and more.',
    file: 'docs/guides/openid-connect.md',
  },
  {
    title: 'Protect an API',
    details:
      'One line on Node.js, Deno, Bun and Workers, and a few in Python, Go and Spring. A revoked token stops within a second.',
    file: 'docs/guides/protect-an-api.md',
  },
  {
    title: 'Try the whole flow',
    details:
      'Start it with a small company to look at, grant access in the browser, and register an API and a client.',
    file: 'docs/quick-start.md',
  },
  {
    title: 'Run it',
    details:
      'One process and one file, or many over PostgreSQL: packages, systemd, containers, Helm; metrics, alerts and backup.',
    file: 'docs/guides/deployment.md',
  },
];

// Of docs/pictures.
const pictures = [
  ['login', 'The login page. With the demo, one click logs in as an administrator or as a user.'],
  ['consent', 'Users decide what an application may do, in words of the API.'],
  ['overview', 'The administration pages show what happened, and what needs attention.'],
  ['console', 'An API, with its clients and their scopes.'],
] as const;

/** The first page: what the README says at its top, four doors, pictures, and the groups of the navigation. */
export function homePage(): string {
  const [, name = '', lead = ''] = /^# (.*)\n\n([\s\S]*?)\n\n/.exec(read('README.md')) ?? [];
  const [text = '', ...tagline] = lead.replaceAll('\n', ' ').split(/(?<=\.) /);
  const front = {
    layout: 'home',
    hero: {
      name,
      text: text.replace(/^Watchword is (\w)/, (_, first: string) => first.toUpperCase()).replace(/\.$/, ''),
      tagline: tagline.join(' '),
      image: { src: '/watchword.svg', alt: '' },
      actions: [
        { theme: 'brand', text: 'Quick start', link: '/quick-start' },
        {
          theme: 'alt',
          text: 'What it does not do',
          link: addressOf('docs/comparison.md#what-watchword-does-not-do'),
        },
        { theme: 'alt', text: 'Comparison', link: addressOf('docs/comparison.md') },
      ],
    },
    features: doors.map(({ file, ...door }) => ({ ...door, link: addressOf(file) })),
  };
  return `---\n${stringify(front)}---\n\n<div class="pictures">\n${pictures.map(figure).join('\n')}\n</div>\n\n${allPages()}`;
}

function figure([name, caption]: (typeof pictures)[number]): string {
  const image = (scheme: string) =>
    `<img class="on-${scheme}" src="/pictures/${name}-${scheme}.webp" width="1000" height="900" loading="lazy" alt="">`;
  return `<figure>${image('light')}${image('dark')}<figcaption>${caption}</figcaption></figure>`;
}

function allPages(): string {
  const rows = readContents().map(
    ({ title, lead, entries: [first] }) =>
      `- [${title}](${posix.relative(posix.dirname(contentsFile), first?.target ?? '')}): ${lead}\n`,
  );
  return `## All pages\n\n${rows.join('')}`;
}

function addressOf(target: string): string {
  return (siteLink('README.md', target) ?? '').replace(/(?:index)?\.md/, '');
}

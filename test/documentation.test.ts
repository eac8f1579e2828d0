import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { userInfo } from 'node:os';
import { posix } from 'node:path';
import { Writable } from 'node:stream';
import { before, describe, it } from 'node:test';
import { startServer } from '@watchword/server-testkit/servers/server';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { commandLine } from '../packages/cli/src/main.ts';
import { protocolErrors } from '../packages/protocol/src/model/errors/error-table.ts';
import { environmentName, flagName, settingPaths } from '../packages/server/src/config/settings.ts';
import { everyEntry, read, readContents, root } from '../scripts/docs/contents.ts';
import { anchors, replaceLinks } from '../scripts/docs/markdown.ts';
import { searchBoost } from '../scripts/docs/search.ts';
import { sidebar } from '../scripts/docs/sidebar.ts';
import { type Page, sitePages } from '../scripts/docs/site.ts';
import { readChanges } from '../scripts/release/changes.ts';
import { planVersion } from '../scripts/release/plan-version.ts';
import { codeSpans } from './support/markdown.ts';

const documents = globSync(
  ['*.md', '{docs,bench}/**/*.md', '{packages,examples}/*/README.md', 'deploy/**/README.md'],
  { cwd: root, exclude: ['**/{node_modules,artifacts}/**'] },
).map((file) => file.replaceAll('\\', '/'));

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    assert.ok(documents.length > 100);
    const broken = documents.flatMap((file) =>
      linksOf(read(file))
        .filter((link) => !leads(file, link))
        .map((link) => `${file}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('of the next release link to files and headings that exist, from where a release writes them', () => {
    const files = readChanges(root).length === 0 ? undefined : planVersion(root, '2027-01-31').files;
    const text = (file: string) => files?.get(file) ?? read(file);
    const broken = ['CHANGELOG.md', 'docs/upgrading.md'].flatMap((file) =>
      linksOf(text(file))
        .filter((link) => !leads(file, link, text))
        .map((link) => `${file}: ${link}`),
    );
    assert.deepEqual(broken, [], 'links of changesets begin at the root of the checkout');
  });

  it('are all in docs/README.md, from which the navigation of the site is made', () => {
    const reached = new Set(everyEntry(readContents()).map(({ target }) => target.replace(/#.*/, '')));
    const missing = documents.filter(
      (file) => file !== 'docs/README.md' && file !== 'README.md' && !reached.has(file),
    );
    assert.deepEqual(missing, [], 'add a line to docs/README.md for each');
  });
});

describe('the site of the documentation', () => {
  let pages: ReadonlyMap<string, Page>;
  before(async () => {
    pages = new Map((await sitePages()).map((page) => [page.route, page]));
  });
  const textOf = (route: string) => pages.get(route)?.text ?? assert.fail(`there is no page ${route}`);

  it('has an entry of the navigation for each page, and a page for each entry', () => {
    const links = new Set(linksOfSidebar(sidebar()));
    const routes = [...pages.keys()].filter((route) => route !== 'index');
    assert.deepEqual(routes.toSorted(), [...links].toSorted());
  });

  it('has links to its own pages and headings only', () => {
    const broken = [...pages.values()].flatMap(({ route, text }) =>
      linksOf(text)
        .filter((link) => {
          const [, to = '', anchor = ''] = /^\/(.*)\.md(?:#(.*))?$/.exec(link) ?? [];
          return !(anchor === '' ? pages.has(to) : anchors(pages.get(to)?.text ?? '').includes(anchor));
        })
        .map((link) => `${route}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('begins with four doors, with pictures in light and dark, and with what the server does not do', () => {
    const [, front = '', below = ''] = /^---\n([\s\S]*?)---\n([\s\S]*)$/.exec(textOf('index')) ?? [];
    const { features, hero } = parse(front);
    assert.deepEqual(
      features.map(({ title }: { title: string }) => title),
      ['Log users in', 'Protect an API', 'Try the whole flow', 'Run it'],
    );
    for (const { link } of [...features, ...hero.actions]) {
      const [, to = '', anchor = ''] = /^\/([^#]*)(?:#(.*))?$/.exec(link) ?? [];
      assert.ok(anchor === '' || anchors(textOf(to)).includes(anchor), link);
      assert.ok(pages.has(to), link);
    }
    const shown = [...below.matchAll(/src="\/pictures\/(.*?)"/g)].map(([, file = '']) => file);
    const kept = globSync('*.webp', { cwd: `${root}docs/pictures` });
    assert.deepEqual(shown.toSorted(), kept.toSorted());
  });

  it('finds guides before decisions', () => {
    const order = ['/guides/clients.html', '/reference/settings.html#port', '/adr/0001-sqlite.html#context'];
    const boosts = order.map(searchBoost);
    assert.deepEqual(
      boosts,
      boosts.toSorted((one, other) => other - one),
    );
    assert.equal(new Set(boosts).size, order.length);
  });

  it('describes every setting, with its flag and its variable', () => {
    const spans = new Set(codeSpans(textOf('reference/settings')));
    for (const path of settingPaths) {
      assert.ok(textOf('reference/settings').includes(`\n### ${path}\n`), path);
      assert.ok(spans.has(flagName(path)) && spans.has(environmentName(path)), path);
    }
  });

  it('describes every command with its options, and not the name of the user who made it', () => {
    const sections = textOf('reference/commands').split(/^## /m);
    const nowhere = new Writable();
    const program = commandLine({ env: {}, stdin: process.stdin, stdout: nowhere, stderr: nowhere });
    const all = commandsOf(program);
    assert.ok(all.length > 50, `${all.length} commands`);
    for (const { path, options } of all) {
      const section = sections.find((text) => text.startsWith(`${path.join(' ')}\n`)) ?? '';
      const isAll = /: all of them\./.test(section) ? (option: string) => !flags.has(option) : () => true;
      for (const option of options.filter(isAll)) {
        assert.ok(section.includes(option), `${path.join(' ')} ${option}`);
      }
    }
    assert.ok(!textOf('reference/commands').includes(`(default: "${userInfo().username}")`));
  });

  it('describes every error and its status', () => {
    for (const [name, { status }] of Object.entries(protocolErrors)) {
      const row = new RegExp(`^\\| \`${name}\` \\| .* \\| ${status} \\|`, 'm');
      assert.ok(row.test(textOf('reference/errors')), name);
    }
  });

  it('describes every route of the administration interface, and every other endpoint', async () => {
    await using server = await startServer();
    const { paths } = (await server.get('/admin/openapi.json')).json;
    for (const [path, methods] of Object.entries<object>(paths)) {
      for (const method of Object.keys(methods)) {
        assert.ok(
          textOf('reference/rest').includes(`\n${method.toUpperCase()} ${path}\n`),
          `${method} ${path}`,
        );
      }
    }
    const described = codeSpans(textOf('reference/endpoints')).join(' ').split(' ');
    const others = server.service.endpoints
      .map(({ path }) => path)
      .filter((path) => !/^\/(?:admin|assets|client)\//.test(path));
    assert.deepEqual(
      others.filter((path) => !described.includes(path)),
      [],
    );
  });

  it('has no text that loads something from another host', () => {
    for (const { route, text } of pages.values()) {
      const shown = text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').replaceAll(/`[^`]*`/g, '');
      assert.deepEqual(
        shown.match(
          /@import|<(?:script|img(?! (?:class="[\w-]+" src="\/pictures\/|alt="[^"]*" src="data:))|link|iframe)\b|!\[/g,
        ),
        null,
        route,
      );
    }
  });
});

const flags = new Set(settingPaths.map(flagName));

/** The commands of the program, with those of each group, and the options of each. */
function commandsOf(
  { commands, options }: Command,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly options: readonly string[] }[] {
  return commands.length === 0
    ? [{ path, options: options.flatMap(({ long, hidden }) => (hidden || !long ? [] : [long])) }]
    : commands.flatMap((command) => commandsOf(command, [...path, command.name()]));
}

function linksOfSidebar(items: ReturnType<typeof sidebar>): string[] {
  return items.flatMap(({ link, items: below = [] }) => [
    ...(link === undefined ? [] : [link.replace(/^\//, '').replace(/#.*/, '')]),
    ...linksOfSidebar([...below]),
  ]);
}

/** The links of a text to other files. */
function linksOf(text: string): string[] {
  const links: string[] = [];
  replaceLinks(text, (title, link) => {
    links.push(link);
    return title;
  });
  return links;
}

function leads(from: string, link: string, text = read): boolean {
  const [path = '', anchor = ''] = link.split('#');
  const file = path === '' ? from : posix.join(posix.dirname(from), path);
  return existsSync(`${root}${file}`) && (anchor === '' || anchors(text(file)).includes(anchor));
}

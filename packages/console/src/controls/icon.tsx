/** Outlines on a grid of 16, drawn for these pages. */
const outlines = {
  overview: 'M2.5 13.5h11M4 13.5V9m4 4.5V5.5m4 8V2.5',
  server: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01M8 5h3M8 11h3',
  client: 'M2.5 3.5h11v9h-11zM2.5 6.25h11M4.75 4.9h.01M6.5 4.9h.01',
  link: 'M6.5 9.5l3-3M7.2 4.6l1.4-1.4a2.9 2.9 0 0 1 4.2 4.2l-1.4 1.4M8.8 11.4l-1.4 1.4a2.9 2.9 0 0 1-4.2-4.2l1.4-1.4',
  token: 'M10.2 2.5a3.3 3.3 0 1 1-2.6 5.34L2.5 12.9v.6h2.2v-1.4h1.4v-1.5h1.3l.9-.9M11 5.2h.01',
  access:
    'M6.2 7.7a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM1.5 13.5a4.7 4.7 0 0 1 8-3.4M9.3 12l1.8 1.8 3.4-3.9',
  identity: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8Zm-5.2 5.5a5.2 5.2 0 0 1 10.4 0',
  providers:
    'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM2.5 8h11M8 2.5c3.4 3.2 3.4 7.8 0 11-3.4-3.2-3.4-7.8 0-11Z',
  audit: 'M4 2.5h8v11H4zM6.25 5.5h3.5M6.25 8h3.5M6.25 10.5h2',
  key: 'M5 11a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM7.5 8.5h6v2.5M11 8.5v2',
  branding:
    'M8 2.5a5.5 5.5 0 0 0 0 11c1.2 0 1.5-.9 1-1.6-.6-.9.1-1.9 1.1-1.9h1.6c1 0 1.8-.8 1.8-1.9 0-3.1-2.5-5.6-5.5-5.6ZM5 8.5h.01M6.3 5.6h.01M9.7 5.6h.01',
  settings:
    'M2.5 4.5h6m3 0h2M2.5 11.5h2m3 0h6M10 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM6 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2',
  plus: 'M8 3v10M3 8h10',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  close: 'm4 4 8 8m0-8-8 8',
  up: 'm4 10 4-4 4 4',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  light:
    'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.7v1.2m0 10.2v1.2M1.7 8h1.2m10.2 0h1.2M3.5 3.5l.9.9m7.2 7.2.9.9m0-9-.9.9m-7.2 7.2-.9.9',
  dark: 'M13.3 9.6A5.6 5.6 0 0 1 6.4 2.7a5.6 5.6 0 1 0 6.9 6.9Z',
  auto: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  warning: 'M8 2.3 14.2 13H1.8L8 2.3Zm0 4.2v3M8 11.3h.01',
  leave: 'M9.5 2.5h-6v11h6M6.5 8h7m0 0-2.6-2.6M13.5 8l-2.6 2.6',
  out: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6L13 5.8M13 2.5v3.3H9.7',
} as const;

export type IconName = keyof typeof outlines;

/** Hidden from screen readers, because there is always a text next to it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={outlines[name]} />
    </svg>
  );
}

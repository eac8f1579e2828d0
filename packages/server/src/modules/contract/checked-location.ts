import { demand, isText } from './nonsense.ts';

/** Where a browser is sent. @throws Nonsense for anything but an absolute http(s) URL */
export function checkedUrl(location: string): string {
  const isUrl = isText(location) && /^https?:\/\/[\x21-\x7e]+$/i.test(location) && URL.canParse(location);
  demand(isUrl, 'a location that is no absolute http(s) URL', location);
  return location;
}

/** The same, or a path of this server's. @throws Nonsense */
export function checkedLocation(location: string): string {
  if (isText(location) && /^\/(?![/\\])[\x21-\x7e]*$/.test(location)) return location;
  return checkedUrl(location);
}

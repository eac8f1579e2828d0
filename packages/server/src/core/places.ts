import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { CityResponse, Reader } from 'mmdb-lib';
import { ConfigurationError } from '../configuration-error.ts';

/** Where a network address is: names by language, the smallest place first. */
export type PlacesOf = (address: string) => readonly Readonly<Record<string, string>>[];

/**
 * Reads a database of places in the MaxMind DB format. The reader is loaded only where there is one.
 *
 * @throws ConfigurationError if the file is none
 */
export async function placesIn(file: string | undefined): Promise<PlacesOf> {
  if (file === undefined) return () => [];
  const reader = await opened(file);
  return (address) => {
    if (isIP(address) === 0 || (isIP(address) === 6 && reader.metadata.ipVersion === 4)) return [];
    const { city, country } = reader.get(address) ?? {};
    return [city?.names, country?.names].flatMap((names) => (names === undefined ? [] : [{ ...names }]));
  };
}

async function opened(file: string): Promise<Reader<CityResponse>> {
  try {
    const { Reader } = await import('mmdb-lib');
    return new Reader<CityResponse>(readFileSync(file));
  } catch (error) {
    const problem = `expected a file in the MaxMind DB format (.mmdb): ${(error as Error).message}`;
    throw new ConfigurationError([{ path: 'pages.placeDatabase', place: file, problem }]);
  }
}

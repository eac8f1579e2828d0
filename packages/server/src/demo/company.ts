import { type ResourceServerRegistration, resourceServerDefaults } from '@watchword/administration';
import { type ClientRegistration, clientDefaults } from '@watchword/protocol';

/** By which people recognize the records of the company. */
const contact = { contactName: 'Tandem Bikes (demo)', contactEmail: 'it@tandem.example' } as const;

export interface CompanyApi {
  readonly key: string;
  /** Name of the employee who owns it. */
  readonly owner: string;
  readonly registration: ResourceServerRegistration;
  readonly clients: readonly CompanyClient[];
}

export interface CompanyClient {
  readonly clientId: string;
  /** Registered by the owner of its API, and confirmed by no administrator. */
  readonly isUnconfirmed?: boolean;
  readonly registration: ClientRegistration;
}

type ApiFields = Pick<ResourceServerRegistration, 'name' | 'description'> & {
  /** By scope: in English, German and Dutch. */
  readonly scopes: Readonly<Record<string, readonly [string, string, string]>>;
  readonly accessTokenFormat?: 'jwt';
};

function api({ scopes, ...fields }: ApiFields): ResourceServerRegistration {
  return {
    ...resourceServerDefaults,
    ...contact,
    ...fields,
    scopes: Object.keys(scopes),
    scopeDescriptions: Object.entries(scopes).map(([name, [description, de, nl]]) => ({
      name,
      description,
      descriptions: { de, nl },
    })),
  };
}

type ClientFields = Partial<ClientRegistration> & Pick<ClientRegistration, 'clientName' | 'description'>;

function client(
  clientId: string,
  fields: ClientFields,
  more: Pick<CompanyClient, 'isUnconfirmed'> = {},
): CompanyClient {
  const registration = { ...clientDefaults, ...contact, expireDuration: 3600, ...fields };
  return { clientId, ...more, registration: { ...registration, attributes: { demo: 'true' } } };
}

const shop: CompanyApi = {
  key: 'tandem-shop',
  owner: 'noor',
  registration: api({
    name: 'Tandem Shop',
    description: 'Products, stock and orders of the bicycle shop.',
    scopes: {
      'products:read': [
        'See products and prices',
        'Produkte und Preise ansehen',
        'Producten en prijzen bekijken',
      ],
      'orders:read': ['See your orders', 'Ihre Bestellungen ansehen', 'Je bestellingen bekijken'],
      'orders:write': ['Order for you', 'Für Sie bestellen', 'Voor je bestellen'],
    },
  }),
  clients: [
    client('tandem-web-shop', {
      clientName: 'Tandem Web Shop',
      description: 'The shop in the browser. Customers are not asked for consent.',
      scopes: ['products:read', 'orders:read', 'orders:write'],
      openidScopes: ['profile', 'email'],
      redirectUris: ['https://shop.tandem.example/signed-in'],
      postLogoutRedirectUris: ['https://shop.tandem.example/'],
      useRefreshTokens: true,
      skipConsent: true,
      expireDuration: 28_800,
    }),
    client('tandem-phone', {
      clientName: 'Tandem on your phone',
      description: 'The app for iOS and Android: a public client with PKCE.',
      scopes: ['products:read', 'orders:read'],
      openidScopes: ['profile'],
      redirectUris: ['example.tandem.phone:/signed-in'],
      confidential: false,
      useRefreshTokens: true,
    }),
    client('tandem-till', {
      clientName: 'Till',
      description: 'The till in the shop, for employees.',
      scopes: ['products:read', 'orders:read', 'orders:write'],
      redirectUris: ['https://till.tandem.example/callback'],
      useRefreshTokens: true,
      skipConsent: true,
      expireDuration: 43_200,
    }),
    client('tandem-stock', {
      clientName: 'Stock sync',
      description: 'A job that compares the stock with the warehouse every five minutes.',
      scopes: ['products:read'],
      allowedClientCredentials: true,
    }),
    client('tandem-invoices', {
      clientName: 'Nightly invoices',
      description: 'A job that writes the invoices of the day.',
      scopes: ['orders:read'],
      allowedClientCredentials: true,
      expireDuration: 600,
    }),
    client(
      'tandem-newsletter',
      {
        clientName: 'Pigeon Post newsletters',
        description: 'A partner that writes to customers. It knows them by subjects of its own.',
        subjectType: 'pairwise',
        scopes: ['orders:read'],
        openidScopes: ['email'],
        redirectUris: ['https://app.pigeonpost.example/oauth/callback'],
        useRefreshTokens: true,
      },
      { isUnconfirmed: true },
    ),
  ],
};

const workshop: CompanyApi = {
  key: 'tandem-workshop',
  owner: 'joris',
  registration: api({
    name: 'Tandem Workshop',
    description: 'Repairs and appointments of the workshop.',
    scopes: {
      'repairs:read': ['See your repairs', 'Ihre Reparaturen ansehen', 'Je reparaties bekijken'],
      'repairs:write': ['Keep track of repairs', 'Reparaturen verwalten', 'Reparaties bijhouden'],
      'appointments:write': [
        'Make appointments for you',
        'Termine für Sie vereinbaren',
        'Afspraken voor je maken',
      ],
    },
  }),
  clients: [
    client('tandem-tablet', {
      clientName: 'Workshop tablet',
      description: 'A single-page application in the workshop.',
      scopes: ['repairs:read', 'repairs:write'],
      openidScopes: ['profile'],
      redirectUris: ['https://workshop.tandem.example/'],
      confidential: false,
      useRefreshTokens: true,
    }),
    client('tandem-booking', {
      clientName: 'Book a repair',
      description: 'Where customers make appointments with the workshop.',
      scopes: ['repairs:read', 'appointments:write'],
      redirectUris: ['https://booking.tandem.example/callback'],
      expireDuration: 604_800,
    }),
    client('tandem-showroom', {
      clientName: 'Showroom screen',
      description: 'An old display that still uses the implicit grant.',
      scopes: ['repairs:read'],
      redirectUris: ['https://showroom.tandem.example/screen'],
      confidential: false,
      allowedImplicitGrant: true,
    }),
    client('tandem-wiki', {
      clientName: 'Staff wiki',
      description: 'Logs employees in by OpenID Connect, and uses no API.',
      openidScopes: ['profile', 'email', 'groups'],
      redirectUris: ['https://wiki.tandem.example/oidc/callback'],
      postLogoutRedirectUris: ['https://wiki.tandem.example/'],
      expireDuration: 86_400,
    }),
  ],
};

const rides: CompanyApi = {
  key: 'tandem-rides',
  owner: 'emma',
  registration: api({
    name: 'Tandem Rides',
    description: 'Routes and rental bicycles. Its access tokens are JWTs.',
    accessTokenFormat: 'jwt',
    scopes: {
      'rides:read': ['See your rides', 'Ihre Fahrten ansehen', 'Je ritten bekijken'],
      'rides:write': ['Plan rides for you', 'Fahrten für Sie planen', 'Ritten voor je plannen'],
      'location:read': [
        'See where your rental bicycle is',
        'Sehen, wo Ihr Mietrad ist',
        'Zien waar je huurfiets is',
      ],
    },
  }),
  clients: [
    client('tandem-planner', {
      clientName: 'Ride planner',
      description: 'An application with which customers plan rides.',
      scopes: ['rides:read', 'rides:write', 'location:read'],
      openidScopes: ['profile'],
      redirectUris: ['https://rideplanner.example/callback'],
      useRefreshTokens: true,
      expireDuration: 900,
    }),
    client('tandem-trackers', {
      clientName: 'Bicycle trackers',
      description: 'Rental bicycles that report where they are.',
      scopes: ['rides:write'],
      allowedClientCredentials: true,
    }),
  ],
};

/** A small company that sells, repairs and lends bicycles. No such company exists (RFC 2606 §3). */
export const company: readonly CompanyApi[] = [shop, workshop, rides];

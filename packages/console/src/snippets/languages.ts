import {
  type Application,
  discoveryPath,
  type Framework,
  isInsecure,
  pathOf,
  portOf,
} from './application.ts';
import { lines, quotedText, scriptText } from './snippet.ts';

/** Libraries for other languages. The guide for Spring Boot has the same lines, and a test compares them. */
export const languages: readonly Framework[] = [
  { label: 'Spring Boot', path: '/login/oauth2/code/watchword', texts: springBoot },
  { label: 'ASP.NET Core', method: 'client_secret_post', texts: aspNet },
  { label: 'Python', texts: python },
  { label: 'Go', texts: go },
  { label: 'PHP', texts: php },
];

function springBoot({ issuer, clientId, scopes }: Application): readonly string[] {
  return [
    lines(
      '# application.yaml',
      'spring:',
      '  security:',
      '    oauth2:',
      '      client:',
      '        registration:',
      '          watchword:',
      `            client-id: ${clientId}`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Spring reads it from the environment
      '            client-secret: ${CLIENT_SECRET}',
      `            scope: ${scopes.join(',')}`,
      '        provider:',
      '          watchword:',
      `            issuer-uri: ${issuer}`,
    ),
  ];
}

function aspNet({ issuer, clientId, redirectUri, scopes }: Application): readonly string[] {
  return [
    'dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
    lines(
      '// Program.cs',
      'using Microsoft.AspNetCore.Authentication.Cookies;',
      'using Microsoft.AspNetCore.Authentication.OpenIdConnect;',
      '',
      'var builder = WebApplication.CreateBuilder(args);',
      'builder.Services.AddAuthorization();',
      'builder.Services',
      '    .AddAuthentication(options =>',
      '    {',
      '        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;',
      '        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;',
      '    })',
      '    .AddCookie()',
      '    .AddOpenIdConnect(options =>',
      '    {',
      `        options.Authority = ${quotedText(issuer)};`,
      ...(isInsecure(issuer) ? ['        options.RequireHttpsMetadata = false;'] : []),
      `        options.ClientId = ${quotedText(clientId)};`,
      '        options.ClientSecret = builder.Configuration["CLIENT_SECRET"];',
      '        options.ResponseType = "code";',
      '        options.ResponseMode = "query";',
      `        options.CallbackPath = ${quotedText(pathOf(redirectUri))};`,
      '        options.MapInboundClaims = false;',
      '        options.GetClaimsFromUserInfoEndpoint = true;',
      '        options.Scope.Clear();',
      ...scopes.map((scope) => `        options.Scope.Add(${quotedText(scope)});`),
      '    });',
      '',
      'var app = builder.Build();',
      'app.UseAuthentication();',
      'app.UseAuthorization();',
      'app.MapGet("/", (HttpContext context) => context.User.FindFirst("sub")?.Value).RequireAuthorization();',
      'app.Run();',
    ),
  ];
}

function python({ issuer, clientId, redirectUri, scopes }: Application): readonly string[] {
  return [
    lines('pip install authlib flask requests'),
    lines(
      '# app.py',
      'import os',
      '',
      'from authlib.integrations.flask_client import OAuth',
      'from flask import Flask, redirect, session',
      '',
      'app = Flask(__name__)',
      "app.secret_key = os.environ['SECRET']  # a long random text of your own",
      'watchword = OAuth(app).register(',
      "    'watchword',",
      `    server_metadata_url=${scriptText(`${issuer}${discoveryPath}`)},`,
      `    client_id=${scriptText(clientId)},`,
      "    client_secret=os.environ['CLIENT_SECRET'],",
      `    client_kwargs={'scope': ${scriptText(scopes.join(' '))}, 'code_challenge_method': 'S256'},`,
      ')',
      '',
      '',
      "@app.get('/login')",
      'def login():',
      `    return watchword.authorize_redirect(${scriptText(redirectUri)})`,
      '',
      '',
      `@app.get(${scriptText(pathOf(redirectUri))})`,
      'def callback():',
      '    token = watchword.authorize_access_token()',
      "    session['user'] = dict(watchword.userinfo(token=token))",
      "    return redirect('/profile')",
      '',
      '',
      "@app.get('/profile')",
      'def profile():',
      "    return session.get('user') or redirect('/login')",
    ),
    lines(`flask run --port ${portOf(redirectUri)}`),
  ];
}

function go({ issuer, clientId, redirectUri, scopes }: Application): readonly string[] {
  return [
    lines(
      '// main.go: go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2',
      `provider, err := oidc.NewProvider(ctx, ${quotedText(issuer)})`,
      'config := oauth2.Config{',
      `\tClientID:     ${quotedText(clientId)},`,
      '\tClientSecret: os.Getenv("CLIENT_SECRET"),',
      '\tEndpoint:     provider.Endpoint(),',
      `\tRedirectURL:  ${quotedText(redirectUri)},`,
      `\tScopes:       []string{${scopes.map(quotedText).join(', ')}},`,
      '}',
      '',
      '// Send the browser to the address, and keep the three in its session.',
      'state, nonce, pkce := rand.Text(), rand.Text(), oauth2.GenerateVerifier()',
      'address := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(pkce))',
      '',
      '// When it is back, compare the state, and handle each err:',
      'token, err := config.Exchange(ctx, r.FormValue("code"), oauth2.VerifierOption(pkce))',
      'raw, _ := token.Extra("id_token").(string)',
      'idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)',
      'if idToken.Nonce != nonce {',
      '\t// Refuse it. Else idToken.Subject is the key of the user.',
      '}',
    ),
  ];
}

function php({ issuer, clientId, redirectUri, scopes }: Application): readonly string[] {
  const others = scopes.filter((scope) => scope !== 'openid');
  return [
    'composer require jumbojett/openid-connect-php',
    lines(
      '<?php',
      `// answers ${redirectUri}`,
      "require __DIR__ . '/vendor/autoload.php';",
      '',
      `$login = new Jumbojett\\OpenIDConnectClient(${scriptText(issuer)}, ${scriptText(clientId)}, getenv('CLIENT_SECRET'));`,
      `$login->setRedirectURL(${scriptText(redirectUri)});`,
      ...(others.length > 0 ? [`$login->addScope([${others.map(scriptText).join(', ')}]);`] : []),
      "$login->setCodeChallengeMethod('S256');",
      '$login->authenticate();',
      '',
      "echo htmlspecialchars($login->requestUserInfo('sub'));",
    ),
  ];
}

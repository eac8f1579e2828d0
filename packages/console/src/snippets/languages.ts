import { type Application, discoveryPath, type Framework, pathOf, portOf } from './application.ts';
import { lines, scriptText } from './snippet.ts';

/** Libraries for other languages. The guide for Spring Boot has the same lines, and a test compares them. */
export const languages: readonly Framework[] = [
  { label: 'Spring Boot', path: '/login/oauth2/code/watchword', texts: springBoot },
  { label: 'Python', texts: python },
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

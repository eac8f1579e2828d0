-- Runs once, when the database is made. The owner of the tables migrates them; the server can neither change nor drop a table.
\set owner_password `cat /run/secrets/owner-password`
\set server_password `cat /run/secrets/server-password`
create role watchword_owner login password :'owner_password';
create role watchword login password :'server_password';
create database watchword owner watchword_owner encoding 'UTF8' template template0;
\connect watchword
revoke create on schema public from public;
grant create, usage on schema public to watchword_owner;
grant usage on schema public to watchword;
alter default privileges for role watchword_owner in schema public
  grant select, insert, update, delete on tables to watchword;

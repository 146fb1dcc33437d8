/** The one part of undici that we load: its HTTP/1.1 client, without fetch, proxies and web sockets. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export = Client;
}

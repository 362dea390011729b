import assert from 'node:assert/strict';
import { passwordStarts } from '../../../src/core/passwordStarts';
import { everyCase } from '../../support/everyCase';

/** What of each word of a command counts as a password. */
const passwords = (command: string) => {
  const words = command.split(' ');
  return passwordStarts(words).flatMap((start, at) => (start === undefined ? [] : [words[at]!.slice(start)]));
};

describe('passwords in a command', () => {
  const commands: [command: string, ...passwords: string[]][] = [
    ['mysql -uroot -pcanary shop', 'canary'],
    ['mysqldump -hpcanary', 'canary'],
    ['mysql -p shop'],
    ['mariadb-dump -pcanary', 'canary'],
    ['unrar x -pcanary a.rar', 'canary'],
    ['7za a -pcanary a.7z', 'canary'],
    ['sshpass -p canary ssh a', 'canary'],
    ['sshpass -pcanary ssh a', 'canary'],
    ['/usr/bin/sshpass -p canary', 'canary'],
    ['C:\\tools\\sshpass.EXE -p canary', 'canary'],
    ['sqlcmd -P canary', 'canary'],
    ['ssh-keygen -N canary', 'canary'],
    ['mosquitto_pub -P canary', 'canary'],
    ['redis-cli -a canary', 'canary'],
    ['ldapsearch -w canary', 'canary'],
    ['openssl enc -k canary', 'canary'],
    ['openssl rsa -passin pass:canary', 'canary'],
    ['openssl rsa -passin file:canary'],
    ['keytool -storepass canary', 'canary'],
    ['curl -u ada:canary https://a', 'canary'],
    ['curl -uada:canary https://a', 'canary'],
    ['curl -sSu ada:canary https://a', 'canary'],
    ['curl -u ada https://a'],
    ['curl -u ada: https://a'],
    ['curl -b id=canary https://a', 'canary'],
    ['http -a ada:canary a', 'canary'],
    ['smbclient -U ada%canary', 'canary'],
    ['smbclient --user=ada%canary', 'canary'],
    ['lftp -u ada,canary', 'canary'],
    // Nothing is a password for others, or once the command has ended.
    ['grep -p canary'],
    ['mysql a ; grep -pcanary'],
    ['mysql a && grep -pcanary'],
    ['mysqlx-like.sh -pcanary'],
    ['sshpass -p one ssh a | mysql -ptwo', 'one', 'two'],
    // Of a file and a user, only the last word is one, and only in this mode.
    ['htpasswd -b file ada canary', 'canary'],
    ['htpasswd -cb file ada canary ; ls a', 'canary'],
    ['htpasswd -c file ada'],
    ['htpasswd -b file ada canary && htpasswd -c file eve', 'canary'],
  ];
  it('are found as its tool takes them', () =>
    everyCase(
      commands,
      ([command]) => command,
      ([command, ...found]) => assert.deepEqual(passwords(command), found),
    ));
});

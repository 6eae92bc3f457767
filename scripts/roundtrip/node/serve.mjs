// Answers one request a line: reads the file with `read` and writes what it found. See validators/worker.py.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export const versionOf = name => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version

export async function serve(version, read) {
  const write = value => process.stdout.write(JSON.stringify(value) + '\n')
  for (const loud of ['log', 'info', 'warn', 'debug']) console[loud] = () => {}
  write({ version })
  for await (const line of createInterface({ input: process.stdin })) {
    const { path, format } = JSON.parse(line)
    try {
      write(await read(path, format))
    } catch (error) {
      write({ findings: [[error.name ?? 'Error', String(error.message ?? error)]], said: null })
    }
  }
}

export const textsOf = parts => parts.map(part => part?.text).filter(text => typeof text === 'string' && text.trim())

